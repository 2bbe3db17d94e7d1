//! Whether a condition holds for a project: yes, no, or nobody knows.

use super::condition::MsbuildCondition;
use super::expand::ExpandScope;

/// Whether it holds; none when that cannot be known.
pub(super) fn holds(condition: &MsbuildCondition, scope: &ExpandScope<'_>) -> Option<bool> {
    match condition {
        // Items are not known when conditions are asked.
        MsbuildCondition::Equal { left, right, .. } if has_items(left) || has_items(right) => None,
        MsbuildCondition::Equal { left, right, not } => {
            let (left, right) = (scope.expand(left), scope.expand(right));
            let equal = left.text.trim().to_lowercase() == right.text.trim().to_lowercase();
            (left.certain && right.certain).then_some(equal != *not)
        }
        MsbuildCondition::Order {
            left,
            right,
            operator,
        } => {
            let (left, right) = (scope.expand(left), scope.expand(right));
            let ordering = version(&left.text)?.cmp(&version(&right.text)?);
            let holds = match operator.as_str() {
                "<" => ordering.is_lt(),
                "<=" => ordering.is_le(),
                ">" => ordering.is_gt(),
                _ => ordering.is_ge(),
            };
            (left.certain && right.certain).then_some(holds)
        }
        MsbuildCondition::Flag(text) => {
            let value = scope.expand(text);
            let flag = match value.text.trim().to_lowercase().as_str() {
                "true" | "on" | "yes" => true,
                "false" | "off" | "no" => false,
                _ => return None,
            };
            value.certain.then_some(flag)
        }
        MsbuildCondition::Not(inner) => holds(inner, scope).map(|holds| !holds),
        MsbuildCondition::And(left, right) => match (holds(left, scope), holds(right, scope)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },
        MsbuildCondition::Or(left, right) => match (holds(left, scope), holds(right, scope)) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        MsbuildCondition::Unknown => None,
    }
}

fn has_items(text: &str) -> bool {
    text.contains("@(") || text.contains("%(")
}

fn version(text: &str) -> Option<Vec<u64>> {
    let text = text.trim().trim_start_matches('v');
    let mut parts: Vec<u64> = text
        .split('.')
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    // `8.0` is no less than `8`.
    while parts.last() == Some(&0) {
        parts.pop();
    }
    Some(parts)
}
