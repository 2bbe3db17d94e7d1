//! What a repository has, for who asks nothing: declarations by how much of the others uses them.

use crate::document::{DeclarationClass, Role};
use crate::history::History;
use crate::index::{FileEntry, FileNo, Index};
use crate::links::Links;
use crate::rank::{Ranked, Ranking};

/// Files that are shown.
const FILES: usize = 400;
/// What a declaration of a test, an example or a copy counts beside one of the product.
const OF_OTHERS: f32 = 0.05;

impl Index {
    /// The declarations that most of the others use, those of files that are used much and change often first.
    /// Deterministic: depends on the files and not on the order they came in.
    #[must_use]
    pub fn overview(&self, history: Option<&History>) -> Ranking {
        let files: Vec<FileNo> = self.by_path.values().copied().collect();
        // Every file is as likely as another to begin with.
        let words = vec![1.0; self.files.len()];
        let used = Links::page_rank(self, &files, &words);
        let mut order: Vec<(f32, FileNo)> = files
            .iter()
            .map(|file| {
                let changes = history
                    .zip(self.file(*file))
                    .map_or(0, |(history, entry)| history.changes(&entry.path).0);
                let often = 1.0 + (1.0 + changes as f32).ln() / 5.0;
                let own = used.get(file).copied().unwrap_or(0.0);
                (own * often, *file)
            })
            .collect();
        // Equal ones stay in the order of paths.
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        order.truncate(FILES);
        let mut items: Vec<Ranked> = Vec::new();
        for (of_file, file) in order {
            let Some(entry) = self.file(file) else {
                continue;
            };
            for declaration in 1..entry.declared.len() as u32 {
                let share = of_file * self.importance(entry, declaration);
                items.extend((share > 0.0).then(|| Ranked {
                    file,
                    declaration,
                    share,
                    why: vec!["used"],
                    has_words: false,
                    is_named: false,
                }));
            }
        }
        items.sort_by(|a, b| b.share.total_cmp(&a.share));
        let all: f32 = items.iter().map(|item| item.share).sum();
        let all = all.max(f32::MIN_POSITIVE);
        items.iter_mut().for_each(|item| item.share /= all);
        Ranking {
            items,
            is_confident: true,
            is_overview: true,
            has_focus: false,
            ..Ranking::default()
        }
    }

    /// How much of the others mentions a declaration, by what it is: types say more of a repository than their members.
    fn importance(&self, entry: &FileEntry, declaration: u32) -> f32 {
        let declared = &entry.declared[declaration as usize];
        let mentions = self.terms[declared.key as usize].files.len() as f32;
        let definers = self.terms[declared.key as usize].definers.len().max(1) as f32;
        let of_kind = match declared.kind {
            DeclarationClass::Type => 1.0,
            DeclarationClass::Callable if declared.parent == 0 => 0.8,
            DeclarationClass::Callable => 0.4,
            DeclarationClass::Value if declared.parent == 0 => 0.3,
            DeclarationClass::Value | DeclarationClass::Namespace | DeclarationClass::File => 0.1,
        };
        let is_other = declared.is_test || entry.role != Role::Source;
        let of_role = if is_other { OF_OTHERS } else { 1.0 };
        // A name that many declare is mentioned for many reasons.
        of_kind * of_role * (1.0 + mentions / definers).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Declaration, RetrievalDocument};

    fn put(index: &mut Index, path: &str, text: &str, names: &[&str]) {
        let declarations = names.iter().map(|name| {
            let at = text.find(&format!("fn {name}(")).unwrap_or(0) as u32;
            let end = text[at as usize..].find('}').unwrap_or(0) as u32 + at + 1;
            Declaration {
                name,
                kind: DeclarationClass::Callable,
                kind_word: "function",
                parent: None,
                container: "",
                signature: "",
                doc: "",
                start: at,
                end,
                name_at: at + 3,
                is_test: false,
            }
        });
        index.replace(&RetrievalDocument {
            path,
            role: Role::of_path(path),
            text,
            declarations: declarations.collect(),
        });
    }

    #[test]
    fn what_is_used_most_comes_first_and_tests_come_last() {
        let mut index = Index::new();
        put(
            &mut index,
            "src/tool.rs",
            "fn sharpen() { 1 }\nfn unused() { 2 }\n",
            &["sharpen", "unused"],
        );
        for at in 0..6 {
            let name = format!("job{at}");
            let text = format!("fn {name}() {{ sharpen() }}\n");
            put(&mut index, &format!("src/{name}.rs"), &text, &[&name]);
        }
        put(
            &mut index,
            "tests/tool_test.rs",
            "fn probe() { sharpen() }\n",
            &["probe"],
        );
        let ranking = index.overview(None);
        let name = |item: &Ranked| {
            index
                .file(item.file)
                .unwrap()
                .name(item.declaration)
                .to_owned()
        };
        assert_eq!(name(&ranking.items[0]), "sharpen");
        assert_eq!(name(ranking.items.last().unwrap()), "probe");
        assert!(ranking.is_overview && ranking.items.len() == 9);
    }
}
