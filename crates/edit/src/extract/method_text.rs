//! The text of an extracted function and of its call, as each language writes them.

use codecortex_bind::Dialect;
use tree_sitter::Node;

use crate::extract::extracted_function::{ExtractedFunction, ExtractedParameter, ExtractedResult};
use crate::extract::selection::{PlannedExtraction, SelectedCode, SharedCode};
use crate::moving::line_end;
use crate::refusal::{Refusal, RefusalKind};
use crate::rewrite::{TextPart, TextRewrite};
use crate::structure::indent::PlaceIndent;
use crate::structure::syntax_tree::lines_in_strings;
use crate::tree::{children, is_comment, range_of, text_of};

/// Plans the new function and its call.
pub(super) fn plan(
    of: &SelectedCode<'_, '_>,
    function: &ExtractedFunction<'_>,
) -> Result<PlannedExtraction, Refusal> {
    let writer = FunctionWriter {
        of,
        function,
        end: line_end(of.text),
        place: PlaceIndent::of_line(of.text, function.host.member.start_byte() as u32),
    };
    let call = writer.call()?;
    let head = writer.head()?;
    let range = function.part.range.clone();
    let mut rewrite = TextRewrite::default();
    rewrite.replace(range, vec![TextPart::Code(call)]);
    let mut parts = vec![TextPart::Code(head)];
    parts.extend(writer.body());
    writer.insert(&mut rewrite, parts);
    Ok(PlannedExtraction {
        rewrite,
        notes: Vec::new(),
        shared: Some(SharedCode {
            defs: function.shared_defs.clone(),
            moved: function.part.range.clone(),
            host: range_of(function.host.outermost),
        }),
    })
}

/// Plans a function in the one around, before the selected statements.
pub(super) fn plan_within(
    of: &SelectedCode<'_, '_>,
    function: &ExtractedFunction<'_>,
) -> PlannedExtraction {
    let range = function.part.range.clone();
    let writer = FunctionWriter {
        of,
        function,
        end: line_end(of.text),
        place: PlaceIndent::of_line(of.text, range.start),
    };
    let semicolon = writer.semicolon();
    let is_async = if function.is_async { "async " } else { "" };
    let result = match function.result_type.as_str() {
        "" => String::new(),
        ty => format!(": {ty}"),
    };
    let head = format!("const {} = {is_async}(){result} =>", of.name);
    let mut parts = vec![TextPart::Code(head)];
    parts.extend(writer.body());
    let gap = format!("{semicolon}{}{}", writer.end, writer.place.line);
    parts.push(TextPart::Text(gap));
    let mut rewrite = TextRewrite::default();
    parts.push(TextPart::Code(writer.call_of(of.name.to_owned())));
    rewrite.replace(range.clone(), parts);
    PlannedExtraction {
        rewrite,
        notes: Vec::new(),
        shared: Some(SharedCode {
            defs: function.shared_defs.clone(),
            moved: range,
            host: range_of(function.host.outermost),
        }),
    }
}

struct FunctionWriter<'f, 't, 'w> {
    of: &'f SelectedCode<'t, 'w>,
    function: &'f ExtractedFunction<'t>,
    end: &'static str,
    place: PlaceIndent,
}

impl<'t> FunctionWriter<'_, 't, '_> {
    /// What ends a statement.
    fn semicolon(&self) -> &'static str {
        match self.of.dialect {
            Dialect::Python | Dialect::Go => "",
            Dialect::TypeScript | Dialect::JavaScript => {
                let text = self.of.text;
                let has = text.lines().any(|line| line.trim_end().ends_with(';'));
                if has { ";" } else { "" }
            }
            _ => ";",
        }
    }

    /// Whether the new function is a member that belongs to the type.
    fn is_static(&self) -> bool {
        let is_member = self.function.host.owner.is_some();
        is_member && !self.function.uses_object && self.of.dialect != Dialect::AngelScript
    }

    /// What stands before the name in the call.
    fn called_on(&self) -> Result<String, Refusal> {
        let host = &self.function.host;
        let at = self.function.part.range.start as usize;
        if host.owner.is_none() {
            return Ok(match (self.of.dialect, &self.function.receiver) {
                (Dialect::Go, Some(receiver)) => format!("{receiver}."),
                _ => String::new(),
            });
        }
        if self.of.dialect == Dialect::Python {
            if let Some(receiver) = &self.function.receiver {
                return Ok(format!("{receiver}."));
            }
            let receiver = match host.is_static {
                true => None,
                false => self.first_parameter(),
            };
            return match receiver.or(host.owner_name(self.of.text)) {
                Some(name) => Ok(format!("{name}.")),
                None => self
                    .of
                    .refuse(RefusalKind::Unsupported, "The class has no name.", at),
            };
        }
        match self.of.dialect {
            Dialect::Rust if self.function.uses_object => Ok("self.".to_owned()),
            Dialect::Rust => Ok("Self::".to_owned()),
            Dialect::TypeScript | Dialect::JavaScript if self.function.uses_object => {
                Ok("this.".to_owned())
            }
            Dialect::TypeScript | Dialect::JavaScript => match host.owner_name(self.of.text) {
                Some(name) => Ok(format!("{name}.")),
                None => self
                    .of
                    .refuse(RefusalKind::Unsupported, "The class has no name.", at),
            },
            _ => Ok(String::new()),
        }
    }

    /// The first parameter of the outermost function.
    fn first_parameter(&self) -> Option<&'t str> {
        let list = self
            .function
            .host
            .outermost
            .child_by_field_name("parameters")?;
        let first = list.named_child(0)?;
        let name = match first.kind() {
            "identifier" => first,
            _ => first.named_child(0)?,
        };
        Some(text_of(name, self.of.text))
    }

    /// The statement or expression that calls the function.
    fn call(&self) -> Result<String, Refusal> {
        let name = self.of.name;
        Ok(self.call_of(format!("{}{name}", self.called_on()?)))
    }

    /// The same where it is known by this name.
    fn call_of(&self, name: String) -> String {
        let function = self.function;
        let arguments: Vec<String> = function
            .parameters
            .iter()
            .map(|of| format!("{}{}", of.passed, of.name))
            .collect();
        let called = format!("{name}({})", arguments.join(", "));
        let called = match (function.is_async, self.of.dialect) {
            (false, _) => called,
            (true, Dialect::Rust) => format!("{called}.await"),
            (true, _) => format!("await {called}"),
        };
        let semicolon = self.semicolon();
        match &function.result {
            ExtractedResult::Expression
                if function.is_async && self.of.dialect != Dialect::Rust =>
            {
                format!("({called})")
            }
            ExtractedResult::Expression => called,
            ExtractedResult::Nothing => match self.of.dialect {
                Dialect::Rust if !self.has_semicolon() => called,
                _ => format!("{called}{semicolon}"),
            },
            ExtractedResult::Returned => match self.of.dialect {
                Dialect::Rust if !self.has_semicolon() => called,
                Dialect::TypeScript | Dialect::JavaScript | Dialect::Python => {
                    format!("return {called}{semicolon}")
                }
                _ if function.result_type.is_empty() => {
                    let gap = match self.of.dialect {
                        Dialect::Go => format!("{}{}", self.end, self.selection_indent()),
                        _ => format!("{semicolon}{}{}", self.end, self.selection_indent()),
                    };
                    format!("{called}{gap}return{semicolon}")
                }
                _ => format!("return {called}{semicolon}"),
            },
            ExtractedResult::Values(values) => {
                let names: Vec<&str> = values.iter().map(|of| of.name.as_str()).collect();
                let is_new = values.iter().all(|of| of.is_bound_inside);
                let is_fixed = values.iter().all(|of| !of.is_written_behind);
                let written = self.assigned(&names, is_new, is_fixed, values);
                format!("{written}{called}{semicolon}")
            }
        }
    }

    /// Whether the last selected statement ends with a semicolon.
    fn has_semicolon(&self) -> bool {
        let range = &self.function.part.range;
        let code = self.of.text.get(range.start as usize..range.end as usize);
        let last = self.function.part.nodes.last();
        let is_statement = last.is_some_and(|of| {
            let kind = of.kind();
            (kind.ends_with("_statement") || kind.ends_with("_declaration"))
                && of.next_named_sibling().is_some()
        });
        code.is_some_and(|code| code.ends_with(';')) || is_statement
    }

    fn selection_indent(&self) -> String {
        PlaceIndent::of_line(self.of.text, self.function.part.range.start).line
    }

    /// What gives names the values of the call.
    fn assigned(
        &self,
        names: &[&str],
        is_new: bool,
        is_fixed: bool,
        values: &[crate::extract::flow::SharedVariable],
    ) -> String {
        let joined = names.join(", ");
        let is_one = names.len() == 1;
        match self.of.dialect {
            Dialect::TypeScript | Dialect::JavaScript => {
                let word = match (is_new, is_fixed) {
                    (false, _) => "",
                    (true, true) => "const ",
                    (true, false) => "let ",
                };
                match is_one {
                    true => format!("{word}{joined} = "),
                    false => format!("{word}[{joined}] = "),
                }
            }
            Dialect::Go if is_new => format!("{joined} := "),
            Dialect::Python | Dialect::Go | Dialect::Named(_) => format!("{joined} = "),
            Dialect::Rust => {
                let names = values
                    .iter()
                    .map(|value| match is_new && self.is_mutable(value) {
                        true => format!("mut {}", value.name),
                        false => value.name.clone(),
                    });
                let names: Vec<String> = names.collect();
                let word = if is_new { "let " } else { "" };
                match is_one {
                    true => format!("{word}{} = ", names.join(", ")),
                    false => format!("{word}({}) = ", names.join(", ")),
                }
            }
            Dialect::CSharp => match (is_one, is_new) {
                (true, true) => format!("var {joined} = "),
                (true, false) => format!("{joined} = "),
                (false, true) => format!("var ({joined}) = "),
                (false, false) => format!("({joined}) = "),
            },
            _ => match is_new {
                true => format!("{} {joined} = ", self.function.result_type),
                false => format!("{joined} = "),
            },
        }
    }

    fn is_mutable(&self, value: &crate::extract::flow::SharedVariable) -> bool {
        let bound = self.of.resolver.workspace().file(self.of.file);
        let at = bound.map(|bound| bound.def(value.def).at);
        let name = at.and_then(|at| crate::tree::leaf_at(self.of.tree, at));
        let declared = name.and_then(|name| name.parent());
        declared.is_some_and(|of| {
            children(of)
                .iter()
                .any(|of| of.kind() == "mutable_specifier")
        })
    }

    /// The head of the function, with what opens its body.
    fn head(&self) -> Result<String, Refusal> {
        let (of, function) = (self.of, self.function);
        let (name, result) = (of.name, function.result_type.as_str());
        let (generics, constraints) = &function.generics;
        let parameters: Vec<String> = function
            .parameters
            .iter()
            .map(|of| self.parameter(of))
            .collect();
        let mut parameters = parameters;
        let is_member = function.host.owner.is_some();
        let is_static = self.is_static();
        let is_async = if function.is_async { "async " } else { "" };
        let result_or_void = if result.is_empty() { "void" } else { result };
        let head = match of.dialect {
            Dialect::TypeScript | Dialect::JavaScript => {
                let private = match of.dialect {
                    Dialect::TypeScript => "private ",
                    _ => "",
                };
                let word = match (is_member, is_static) {
                    (false, _) => format!("{is_async}function "),
                    (true, true) => format!("{private}static {is_async}"),
                    (true, false) => format!("{private}{is_async}"),
                };
                let result = match result {
                    "" => String::new(),
                    ty => format!(": {ty}"),
                };
                format!("{word}{name}{generics}({}){result}", parameters.join(", "))
            }
            Dialect::Python => {
                let decorated = match is_member && function.receiver.is_none() {
                    true => format!("@staticmethod{}{}", self.end, self.place.line),
                    false => String::new(),
                };
                if let Some(receiver) = &function.receiver {
                    let class = self.class_method();
                    parameters.insert(0, receiver.clone());
                    let parameters = parameters.join(", ");
                    return Ok(format!("{class}{is_async}def {name}({parameters}):"));
                }
                format!(
                    "{decorated}{is_async}def {name}({}):",
                    parameters.join(", ")
                )
            }
            Dialect::Go => {
                let receiver = function
                    .receiver
                    .as_ref()
                    .and_then(|_| function.host.outermost.child_by_field_name("receiver"));
                let receiver =
                    receiver.map_or(String::new(), |node| format!("{} ", text_of(node, of.text)));
                let result = if result.is_empty() {
                    String::new()
                } else {
                    format!(" {result}")
                };
                format!(
                    "func {receiver}{name}{generics}({}){result}",
                    parameters.join(", ")
                )
            }
            Dialect::Rust => {
                if function.uses_object {
                    parameters.insert(0, self.rust_receiver()?);
                }
                let result = if result.is_empty() {
                    String::new()
                } else {
                    format!(" -> {result}")
                };
                let constraints = if constraints.is_empty() {
                    String::new()
                } else {
                    format!(" {constraints}")
                };
                format!(
                    "{is_async}fn {name}{generics}({}){result}{constraints}",
                    parameters.join(", ")
                )
            }
            Dialect::Java => {
                let word = if is_static { "static " } else { "" };
                let generics = if generics.is_empty() {
                    String::new()
                } else {
                    format!("{generics} ")
                };
                let throws = children(function.host.outermost)
                    .into_iter()
                    .find(|of| of.kind() == "throws");
                let throws =
                    throws.map_or(String::new(), |node| format!(" {}", text_of(node, of.text)));
                format!(
                    "private {word}{generics}{result_or_void} {name}({}){throws}",
                    parameters.join(", ")
                )
            }
            Dialect::CSharp => {
                let word = if is_static { "static " } else { "" };
                let result = match (function.is_async, &function.result, result.is_empty()) {
                    (false, ..) => result_or_void.to_owned(),
                    (true, ExtractedResult::Returned, _) => result_or_void.to_owned(),
                    (true, _, true) => "Task".to_owned(),
                    (true, _, false) => format!("Task<{result}>"),
                };
                let constraints = if constraints.is_empty() {
                    String::new()
                } else {
                    format!(" {constraints}")
                };
                format!(
                    "private {word}{is_async}{result} {name}{generics}({}){constraints}",
                    parameters.join(", ")
                )
            }
            Dialect::Cpp | Dialect::C => {
                let word = if is_member && !is_static {
                    ""
                } else {
                    "static "
                };
                let is_const = word.is_empty() && self.is_const_method();
                let behind = if is_const { " const" } else { "" };
                format!(
                    "{word}{result_or_void} {name}({}){behind}",
                    parameters.join(", ")
                )
            }
            Dialect::AngelScript | Dialect::Named(_) => {
                format!("{result_or_void} {name}({})", parameters.join(", "))
            }
        };
        Ok(head)
    }

    /// The decorator of a method of Python that works on its class.
    fn class_method(&self) -> String {
        let decorated = self.function.host.outermost.parent();
        let is_class = decorated
            .filter(|of| of.kind() == "decorated_definition")
            .is_some_and(|of| {
                let mut decorators = children(of)
                    .into_iter()
                    .filter(|of| of.kind() == "decorator");
                decorators.any(|of| text_of(of, self.of.text) == "@classmethod")
            });
        match is_class {
            true => format!("@classmethod{}{}", self.end, self.place.line),
            false => String::new(),
        }
    }

    /// The object of a method of Rust as the function around has it.
    fn rust_receiver(&self) -> Result<String, Refusal> {
        let list = self
            .function
            .host
            .outermost
            .child_by_field_name("parameters");
        let own = list
            .and_then(|list| list.named_child(0))
            .filter(|of| of.kind() == "self_parameter");
        let text = own.map_or("", |own| text_of(own, self.of.text));
        match text.starts_with('&') {
            true => Ok(text.to_owned()),
            false => self.of.refuse(
                RefusalKind::Unsupported,
                "The object of the function around is not borrowed.",
                self.function.part.range.start as usize,
            ),
        }
    }

    fn is_const_method(&self) -> bool {
        let declarator = self
            .function
            .host
            .outermost
            .child_by_field_name("declarator");
        declarator.is_some_and(|of| {
            let mut qualifiers = children(of)
                .into_iter()
                .filter(|of| of.kind() == "type_qualifier");
            qualifiers.any(|of| text_of(of, self.of.text) == "const")
        })
    }

    fn parameter(&self, of: &ExtractedParameter) -> String {
        let ExtractedParameter { name, ty, .. } = of;
        match self.of.dialect {
            Dialect::TypeScript => format!("{name}: {ty}"),
            Dialect::JavaScript | Dialect::Python => name.clone(),
            Dialect::Rust if of.is_assigned => format!("mut {name}: {ty}"),
            Dialect::Rust => format!("{name}: {ty}"),
            Dialect::Go => format!("{name} {ty}"),
            _ => format!("{ty} {name}"),
        }
    }

    /// The body with its braces.
    fn body(&self) -> Vec<TextPart> {
        let (end, line) = (self.end, &self.place.line);
        let inner = self.place.deeper().line;
        let is_python = self.of.dialect == Dialect::Python;
        let open = match (is_python, self.opens_in_line()) {
            (true, _) => String::new(),
            (false, true) => " {".to_owned(),
            (false, false) => format!("{end}{line}{{"),
        };
        let mut parts = vec![TextPart::Text(format!("{open}{end}{inner}"))];
        let semicolon = self.semicolon();
        let is_expression = matches!(self.function.result, ExtractedResult::Expression);
        let is_value = self.of.dialect == Dialect::Rust;
        if is_expression && !is_value {
            let open = if is_python { "return (" } else { "return " };
            parts.push(TextPart::Text(open.to_owned()));
        }
        parts.extend(self.lines(&inner));
        if is_expression && !is_value {
            let close = if is_python { ")" } else { semicolon };
            parts.push(TextPart::Text(close.to_owned()));
        }
        if let ExtractedResult::Values(values) = &self.function.result {
            let names: Vec<&str> = values.iter().map(|of| of.name.as_str()).collect();
            let joined = names.join(", ");
            let written = match (self.of.dialect, names.len()) {
                (Dialect::Rust, 1) => joined,
                (Dialect::Rust, _) => format!("({joined})"),
                (_, 1) => format!("return {joined}{semicolon}"),
                (Dialect::TypeScript, _) if self.function.result_type.is_empty() => {
                    format!("return [{joined}] as const{semicolon}")
                }
                (Dialect::TypeScript, _) => format!("return [{joined}]{semicolon}"),
                (Dialect::JavaScript, _) => format!("return [{joined}]{semicolon}"),
                (Dialect::CSharp, _) => format!("return ({joined}){semicolon}"),
                _ => format!("return {joined}{semicolon}"),
            };
            parts.push(TextPart::Text(format!("{end}{inner}{written}")));
        }
        if !is_python {
            parts.push(TextPart::Text(format!("{end}{line}}}")));
        }
        parts
    }

    /// Whether the function around opens its body in the line of its head.
    fn opens_in_line(&self) -> bool {
        let body = self.function.host.outermost.child_by_field_name("body");
        let Some(body) = body else { return true };
        let before = self.of.text.get(..body.start_byte()).unwrap_or_default();
        let gap = before.trim_end().len();
        !before.get(gap..).is_some_and(|gap| gap.contains('\n'))
    }

    /// The selected code, indented as a body.
    fn lines(&self, inner: &str) -> Vec<TextPart> {
        let range = &self.function.part.range;
        let text = self.of.text;
        let path = self
            .of
            .resolver
            .workspace()
            .path(self.of.file)
            .unwrap_or_default();
        let in_strings = lines_in_strings(path, text);
        let own = self.selection_indent();
        let mut parts = Vec::new();
        let mut at = range.start;
        let code = text
            .get(range.start as usize..range.end as usize)
            .unwrap_or_default();
        for (number, line) in code.split_inclusive('\n').enumerate() {
            let next = at + line.len() as u32;
            let is_free = number > 0 && in_strings.binary_search(&at).is_err();
            let rest = line
                .strip_prefix(own.as_str())
                .filter(|_| is_free && !line.trim().is_empty());
            let start = match rest {
                Some(_) => {
                    parts.push(TextPart::Text(inner.to_owned()));
                    at + own.len() as u32
                }
                None => at,
            };
            parts.push(TextPart::Source(start..next));
            at = next;
        }
        parts
    }

    /// Puts the function beside the one around: behind it, but before it where a name must be declared first.
    fn insert(&self, rewrite: &mut TextRewrite, mut parts: Vec<TextPart>) {
        let (end, line) = (self.end, &self.place.line);
        let host = &self.function.host;
        let is_before =
            matches!(self.of.dialect, Dialect::Cpp | Dialect::C) && host.owner.is_none();
        if is_before {
            let mut first = host.member;
            while let Some(before) = first
                .prev_sibling()
                .filter(|of| is_comment(*of) && adjoins(*of, first))
            {
                first = before;
            }
            parts.push(TextPart::Text(format!("{end}{end}{line}")));
            rewrite.insert(first.start_byte() as u32, parts);
            return;
        }
        let blank = match (self.of.dialect, host.owner.is_some()) {
            (Dialect::Python, false) => 3,
            _ => 2,
        };
        let gap = format!("{}{line}", end.repeat(blank));
        parts.insert(0, TextPart::Text(gap));
        rewrite.insert(self.member_end(), parts);
    }

    /// The end of the declaration that the new function stands behind, with what is behind it in its line.
    fn member_end(&self) -> u32 {
        let host = &self.function.host;
        let member = host.member;
        let end = member.end_byte();
        let rest = self.of.text.get(end..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        let code = line.trim_end();
        let is_closed =
            code.trim_start().starts_with([';', ',']) || code.trim_start().starts_with("//");
        match is_closed {
            true => (end + code.len()) as u32,
            false => end as u32,
        }
    }
}

/// Whether one node ends in the line before another.
fn adjoins(before: Node<'_>, node: Node<'_>) -> bool {
    before.end_position().row + 1 >= node.start_position().row
}
