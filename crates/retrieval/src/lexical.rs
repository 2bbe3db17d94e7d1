//! BM25F over declarations, and BM25 over files in the same pass.

use crate::hits::{Field, TermHit};
use crate::index::{FileNo, Index, TermId};
use crate::params::Params;

/// Scores by file and declaration.
#[derive(Debug, Default)]
pub(crate) struct Scores {
    /// Where a file's declarations start in `of`; one more than there are files.
    pub(crate) starts: Vec<u32>,
    pub(crate) of: Vec<f32>,
    pub(crate) files: Vec<f32>,
    /// Share of the weights that a declaration, and a file, has at all.
    pub(crate) cover: Vec<f32>,
    pub(crate) files_cover: Vec<f32>,
    /// The same of the name of a declaration, and of the path of a file.
    pub(crate) names_cover: Vec<f32>,
    pub(crate) paths_cover: Vec<f32>,
    /// The same of all names in a file.
    pub(crate) outlines_cover: Vec<f32>,
}

impl Scores {
    pub(crate) fn get(&self, file: FileNo, declaration: u32) -> f32 {
        self.of[(self.starts[file as usize] + declaration) as usize]
    }

    pub(crate) fn cover(&self, file: FileNo, declaration: u32) -> f32 {
        self.cover[(self.starts[file as usize] + declaration) as usize]
    }

    pub(crate) fn name_cover(&self, file: FileNo, declaration: u32) -> f32 {
        self.names_cover[(self.starts[file as usize] + declaration) as usize]
    }

    /// Divides by the largest of each, so that the best has 1.
    fn normalise(&mut self) {
        for scores in [&mut self.of, &mut self.files] {
            let best = scores.iter().copied().fold(0.0, f32::max);
            if best > 0.0 {
                scores.iter_mut().for_each(|score| *score /= best);
            }
        }
    }
}

/// Scores every declaration and file that is wanted for weighted terms; the best has 1.
pub(crate) fn score(
    index: &Index,
    terms: &[(TermId, f32)],
    params: &Params,
    wanted: impl Fn(FileNo) -> bool,
) -> Scores {
    let mut scores = Scores::default();
    let mut start = 0;
    for file in &index.files {
        scores.starts.push(start);
        start += file.as_ref().map_or(0, |file| file.declared.len() as u32);
    }
    scores.starts.push(start);
    scores.of = vec![0.0; start as usize];
    scores.files = vec![0.0; index.files.len()];
    scores.cover = vec![0.0; start as usize];
    scores.files_cover = vec![0.0; index.files.len()];
    scores.names_cover = vec![0.0; start as usize];
    scores.paths_cover = vec![0.0; index.files.len()];
    scores.outlines_cover = vec![0.0; index.files.len()];
    let total: f32 = terms
        .iter()
        .map(|(_, weight)| *weight)
        .sum::<f32>()
        .max(f32::MIN_POSITIVE);
    let average = (index.words as f32 / index.declarations.max(1) as f32).max(1.0);
    let file_average = (index.words as f32 / index.len().max(1) as f32).max(1.0);
    for (term, weight) in terms {
        for (number, file, hits) in index.postings(*term, &wanted) {
            let first = scores.starts[number as usize] as usize;
            let mut in_path = 0.0;
            let mut in_file = 0.0;
            let mut is_in_names = false;
            for hit in hits {
                let at = first + hit.declaration as usize;
                if hit.declaration == 0 && hit.count(Field::Path) > 0 {
                    in_path =
                        params.fields[Field::Path as usize] * f32::from(hit.count(Field::Path));
                    in_file += 2.0 * f32::from(hit.count(Field::Path));
                    scores.paths_cover[number as usize] += weight / total;
                }
                in_file += f32::from(hit.count(Field::Body)) + f32::from(hit.count(Field::Name));
                let length = file.lengths[hit.declaration as usize] as f32 / average;
                let frequency = in_fields(&hit, params) + in_path.min(2.0);
                scores.of[at] += weight * saturate(frequency, length, params);
                scores.cover[at] += weight / total;
                if hit.count(Field::Name) > 0 {
                    scores.names_cover[at] += weight / total;
                    is_in_names = true;
                }
            }
            if is_in_names {
                scores.outlines_cover[number as usize] += weight / total;
            }
            scores.files_cover[number as usize] += weight / total;
            let length = file.length as f32 / file_average;
            scores.files[number as usize] += weight * saturate(in_file, length, params);
        }
    }
    scores.normalise();
    scores
}

fn in_fields(hit: &TermHit, params: &Params) -> f32 {
    let without_path = hit
        .counts
        .iter()
        .zip(params.fields)
        .take(Field::Path as usize);
    without_path
        .map(|(count, weight)| f32::from(*count) * weight)
        .sum()
}

fn saturate(frequency: f32, length: f32, params: &Params) -> f32 {
    let share = params.length_share;
    let room = params.saturation * (1.0 - share + share * length);
    frequency * (params.saturation + 1.0) / (frequency + room)
}
