//! What each piece is worth at a budget, before its cost.

use super::Prepared;
use super::pieces::{PartFacts, PieceKind, SourcePiece};
use crate::rank::Ranking;
use crate::shares::Shares;

/// How likely each piece is what the question needs, by the kind of the piece; 0 for one that is not shown at this budget.
pub(super) fn gains(prepared: &Prepared, ranking: &Ranking, shares: &Shares) -> Vec<f32> {
    let mut gains = Vec::with_capacity(prepared.pieces.len());
    let same = |a: &SourcePiece, b: &SourcePiece| a.item == b.item && is_part(a) && is_part(b);
    for run in prepared.pieces.chunk_by(same) {
        let Some(item) = run.first().map(|piece| piece.item) else {
            continue;
        };
        let gain = prepared.item_gains.get(item).copied().unwrap_or_default();
        let file = ranking.items.get(item).map(|item| item.file);
        let file = file.and_then(|file| prepared.file_gains.get(&file));
        let file = file.copied().unwrap_or_default();
        let of_code =
            shares.body_share * gain.powf(shares.body_power) * file.powf(shares.body_file);
        let weights = run.iter().map(|piece| weight(piece, shares));
        let total = weights.sum::<f32>().max(f32::MIN_POSITIVE);
        gains.extend(run.iter().map(|piece| match piece.kind {
            PieceKind::Name => gain.powf(shares.name_power) * file.powf(shares.name_file),
            PieceKind::Signature => gain.powf(shares.signature_power) * shares.signature_share,
            PieceKind::Whole if piece.lines.len() > shares.whole_lines as usize => 0.0,
            PieceKind::Whole => {
                gain.powf(shares.whole_power) * file.powf(shares.body_file) * shares.whole_share
            }
            PieceKind::Part(facts) => {
                // An edit is in one part, more often than not in the most telling one.
                let of_part = (weight(piece, shares) / total).powf(shares.spread);
                let outside = if facts.is_outside {
                    shares.file_share
                } else {
                    1.0
                };
                of_code * outside * of_part
            }
        }));
    }
    gains
}

fn is_part(piece: &SourcePiece) -> bool {
    matches!(piece.kind, PieceKind::Part(_))
}

/// How much of its declaration's gain a part has, beside the other parts; 0 for what is no part.
fn weight(piece: &SourcePiece, shares: &Shares) -> f32 {
    let PieceKind::Part(PartFacts {
        matched,
        has_name,
        is_doc,
        size,
        ..
    }) = piece.kind
    else {
        return 0.0;
    };
    let head = if has_name { shares.head } else { 0.0 };
    let of_code = if is_doc { shares.doc_share } else { 1.0 };
    of_code * (shares.line_match * matched + head).exp() * size.sqrt()
}
