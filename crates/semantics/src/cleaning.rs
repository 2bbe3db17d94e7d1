//! Takes secrets out of what is written and of what models are sent (SPEC X7).

use codecortex_protocol::{ModelMessage, ModelRequest};
use codecortex_secrets::{Counts, Redactor};
use serde_json::Value;

use crate::operation::Operation;

/// Takes the secrets out of a text; how many there were.
pub fn clean_text(text: &mut String) -> u32 {
    let mut counts = Counts::new();
    Redactor::default().redact_in(text, &mut counts);
    counts.values().sum()
}

/// The same of everything that a model would be sent but the tools' own descriptions.
pub fn clean_request(request: &mut ModelRequest) -> u32 {
    clean_text(&mut request.subject) + clean_messages(&mut request.messages)
}

/// The same of a conversation.
pub fn clean_messages(messages: &mut [ModelMessage]) -> u32 {
    let mut taken = 0;
    for message in messages {
        taken += clean_text(&mut message.content);
        for call in &mut message.calls {
            taken += clean_text(&mut call.arguments);
        }
    }
    taken
}

impl Operation {
    /// Takes secrets out of what people and models wrote; `redacted` counts them. Evidence is checked before: a quote is
    /// compared as it was.
    pub fn clean(&mut self) {
        let mut taken = clean_text(&mut self.question);
        for step in &mut self.steps {
            taken += clean_value(&mut step.args);
        }
        if let Some(result) = &mut self.result {
            taken += clean_text(&mut result.conclusion);
            for evidence in &mut result.evidence {
                taken += clean_text(&mut evidence.path);
                taken += clean_text(&mut evidence.quote);
                taken += clean_text(&mut evidence.why);
            }
            taken += result.open.iter_mut().map(clean_text).sum::<u32>();
        }
        taken += self.error.as_mut().map_or(0, clean_text);
        self.redacted = self.redacted.saturating_add(taken);
    }
}

/// The same of the texts of a JSON value.
fn clean_value(value: &mut Value) -> u32 {
    let mut taken = 0;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => taken += clean_text(text),
            Value::Array(values) => open.extend(values),
            Value::Object(fields) => open.extend(fields.values_mut()),
            _ => {}
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::{Conclusion, Evidence, OpStep};
    use serde_json::json;

    #[test]
    fn operations_keep_no_secret() {
        let secret = format!("ghp_{}", "a1B2".repeat(9));
        let mut operation = Operation::new(&format!("what is {secret} for?"), Vec::new());
        operation.steps = vec![OpStep {
            args: json!({ "query": [secret] }),
            ..OpStep::default()
        }];
        operation.result = Some(Conclusion {
            conclusion: format!("it is {secret}"),
            evidence: vec![Evidence {
                quote: secret.clone(),
                why: secret.clone(),
                ..Evidence::default()
            }],
            open: vec![secret.clone()],
        });
        operation.error = Some(secret.clone());
        operation.clean();
        let file = operation.render();
        assert!(!file.contains("a1B2"), "{file}");
        assert_eq!(operation.redacted, 7);
        let once = operation.clone();
        operation.clean();
        assert_eq!(operation, once);
    }
}
