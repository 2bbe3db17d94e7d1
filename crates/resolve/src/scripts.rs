//! How scripts of AngelScript are read where people or an engine say it: which files see each other, and which members
//! an engine makes of others (SPEC AS1).

use codecortex_bind::facts::DefKind;

/// What is said of scripts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptRules {
    /// Which files see each other.
    pub imports: ScriptImports,
    /// What members are called that an engine makes.
    pub generated: Vec<MemberTemplate>,
}

/// Which files see each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScriptImports {
    /// All; of several that declare a name, those that are imported.
    #[default]
    Preferred,
    /// All.
    All,
    /// What is imported alone.
    Only,
}

/// What a member is called that an engine makes of another one: `Trigger_<Event>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberTemplate {
    before: String,
    of: MadeOf,
    after: String,
}

/// Of what members are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MadeOf {
    /// A property whose type is an event or a delegate.
    Event,
    Property,
    Method,
    Any,
}

impl MemberTemplate {
    /// Reads a template; `None` where it has not one place for a name.
    #[must_use]
    pub fn parse(written: &str) -> Option<Self> {
        let (before, rest) = written.trim().split_once('<')?;
        let (word, after) = rest.split_once('>')?;
        let of = match word {
            "Event" => MadeOf::Event,
            "Prop" => MadeOf::Property,
            "Method" => MadeOf::Method,
            "Member" => MadeOf::Any,
            _ => return None,
        };
        let is_one = !before.contains('>') && !after.contains(['<', '>']);
        (is_one && !(before.is_empty() && after.is_empty())).then(|| Self {
            before: before.to_owned(),
            of,
            after: after.to_owned(),
        })
    }

    /// What a member of this name may be made of: the name in it, and that of a property that says to be a truth value.
    pub(crate) fn made_of(&self, name: &str) -> Vec<String> {
        let inside = name.strip_prefix(self.before.as_str());
        let inside = inside.and_then(|rest| rest.strip_suffix(self.after.as_str()));
        let Some(inside) = inside.filter(|inside| !inside.is_empty()) else {
            return Vec::new();
        };
        let mut names = vec![inside.to_owned()];
        if matches!(self.of, MadeOf::Property | MadeOf::Any) {
            names.push(format!("b{inside}"));
        }
        names
    }

    /// What is made of a member of this name is called so.
    pub(crate) fn made(&self, name: &str) -> Vec<String> {
        let of = |name: &str| format!("{}{name}{}", self.before, self.after);
        let mut names = vec![of(name)];
        let is_truth = |rest: &&str| rest.starts_with(|c: char| c.is_uppercase());
        let truth = name.strip_prefix('b').filter(is_truth);
        let may_be = matches!(self.of, MadeOf::Property | MadeOf::Any);
        names.extend(truth.filter(|_| may_be).map(of));
        names
    }

    /// Whether something of this kind may be what the member is made of; `is_event` says whether it has the type of an
    /// event or delegate.
    pub(crate) fn takes(&self, kind: DefKind, is_event: impl FnOnce() -> bool) -> bool {
        let is_value = matches!(kind, DefKind::Field | DefKind::Property | DefKind::Event);
        let is_method = matches!(kind, DefKind::Method | DefKind::Function);
        match self.of {
            MadeOf::Event => kind == DefKind::Event || is_value && is_event(),
            MadeOf::Property => is_value,
            MadeOf::Method => is_method,
            MadeOf::Any => is_value || is_method,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_lead_both_ways() {
        let trigger = MemberTemplate::parse("Trigger_<Event>").unwrap();
        assert_eq!(trigger.made_of("Trigger_OnBroke"), ["OnBroke"]);
        assert_eq!(trigger.made("OnBroke"), ["Trigger_OnBroke"]);
        assert!(trigger.made_of("Trigger_").is_empty() && trigger.made_of("OnBroke").is_empty());
        let set = MemberTemplate::parse("Set<Prop>").unwrap();
        assert_eq!(set.made_of("SetLit"), ["Lit", "bLit"]);
        assert_eq!(set.made("bLit"), ["SetbLit", "SetLit"]);
        assert_eq!(set.made("back"), ["Setback"]);
        for wrong in [
            "",
            "Set",
            "<Prop>",
            "Set<Thing>",
            "<Prop><Prop>",
            "a>b<Prop>",
        ] {
            assert_eq!(MemberTemplate::parse(wrong), None, "{wrong}");
        }
    }
}
