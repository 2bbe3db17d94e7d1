//! Types that derive from themselves by way of others: no program has them, a broken description may.

use rustc_hash::FxHashMap;

use crate::type_description::DescribedDeclaration;

/// Takes the base away that closes a circle; gives what that is a problem of, and how it is told.
pub(crate) fn cut_circles(types: &mut [(String, DescribedDeclaration)]) -> Vec<(String, String)> {
    let named = types.iter().enumerate();
    let places: FxHashMap<String, usize> = named
        .filter(|(_, (_, of))| !of.base.is_empty())
        .map(|(place, (_, of))| (of.name.clone(), place))
        .collect();
    // In which walk each was met: one that is met again in the same walk closes a circle.
    let mut met = vec![usize::MAX; types.len()];
    let mut problems = Vec::new();
    for start in 0..types.len() {
        let mut at = start;
        while met[at] == usize::MAX {
            met[at] = start;
            let Some(base) = places.get(&types[at].1.base).copied() else {
                break;
            };
            if met[base] == start {
                let (origin, of) = &mut types[at];
                let problem = format!(
                    "`{}` derives from itself through `{}`: that base is ignored",
                    of.name, of.base
                );
                problems.push((origin.clone(), problem));
                of.base.clear();
                break;
            }
            at = base;
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::type_description::DescribedShape;

    fn class(name: &str, base: &str) -> (String, DescribedDeclaration) {
        let described = DescribedDeclaration {
            base: base.to_owned(),
            ..DescribedDeclaration::new(name, DescribedShape::Class)
        };
        ("a.json".to_owned(), described)
    }

    #[test]
    fn each_circle_loses_one_base() {
        let mut types = vec![
            class("A", "B"),
            class("B", "C"),
            class("C", "A"),
            class("D", "A"),
            class("E", "E"),
            class("F", "Outside"),
        ];
        let problems = cut_circles(&mut types);
        assert_eq!(problems.len(), 2, "{problems:?}");
        let bases: Vec<&str> = types.iter().map(|(_, of)| of.base.as_str()).collect();
        assert_eq!(bases, ["B", "C", "", "A", "", "Outside"]);
    }
}
