//! The equation of a sum of products: which axis of which operand is which.

use aclnn_numerics::Shape;
use smallvec::SmallVec;

/// A label: a letter, or one of the axes that an ellipsis stands for, counted from the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Label {
    Ellipsis(usize),
    Letter(char),
}

pub(super) type Labels = SmallVec<[Label; 8]>;

/// The labels of the axes of each operand and of the result.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Equation {
    pub(super) operands: Vec<Labels>,
    pub(super) result: Labels,
}

impl Equation {
    /// Reads an equation for operands of such ranks. The error is a sentence.
    #[inline]
    pub(super) fn read(text: &str, ranks: &[usize]) -> Result<Self, String> {
        let text: String = text.chars().filter(|character| !character.is_whitespace()).collect();
        let (left, right) = match text.split_once("->") {
            Some((left, right)) => (left, Some(right)),
            None => (&text[..], None),
        };
        let terms: Vec<&str> = left.split(',').collect();
        if terms.len() != ranks.len() {
            return Err(format!(
                "the equation is of {} operands, but there are {}",
                terms.len(),
                ranks.len()
            ));
        }
        let operands = terms.iter().zip(ranks).map(|(term, rank)| labels(term, Some(*rank)));
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        let all = || operands.iter().flatten().copied();
        let ellipses = all().filter_map(|label| match label {
            Label::Ellipsis(axis) => Some(axis + 1),
            Label::Letter(_) => None,
        });
        let ellipses = ellipses.max().unwrap_or(0);
        let result = match right {
            Some(term) => {
                let letters = term.chars().filter(|character| character.is_ascii_alphabetic()).count();
                let rank = if term.contains('.') { letters + ellipses } else { letters };
                labels(term, Some(rank))?
            }
            // The axes of ellipses, then the letters that stand there once, in the order of the alphabet.
            None => {
                let mut letters: Labels = all()
                    .filter(|label| {
                        matches!(label, Label::Letter(_)) && all().filter(|other| other == label).count() == 1
                    })
                    .collect();
                letters.sort_unstable();
                (0..ellipses).rev().map(Label::Ellipsis).chain(letters).collect()
            }
        };
        for (number, label) in result.iter().enumerate() {
            if let (Label::Letter(letter), false) = (label, all().any(|other| other == *label)) {
                return Err(format!("{letter} is an axis of the result, but of no operand"));
            }
            if let (Label::Letter(letter), Some(true)) =
                (label, result.get(..number).map(|before| before.contains(label)))
            {
                return Err(format!("{letter} is an axis of the result twice"));
            }
        }
        Ok(Self { operands, result })
    }

    /// The sizes of the axes that labels name, to which an axis of one element is repeated. The error is a sentence.
    #[inline]
    pub(super) fn size(&self, shapes: &[&Shape], label: Label) -> Result<usize, String> {
        let mut size = 1;
        for (labels, shape) in self.operands.iter().zip(shapes) {
            for (_, other) in labels.iter().zip(shape.iter()).filter(|(other, _)| **other == label) {
                if *other != 1 && size != 1 && size != *other {
                    let name = match label {
                        Label::Letter(letter) => format!("axis {letter}"),
                        Label::Ellipsis(axis) => format!("axis {} of ...", -1 - axis as i64),
                    };
                    return Err(format!("{name} has {size} elements in one operand and {other} in another"));
                }
                if *other != 1 {
                    size = *other;
                }
            }
        }
        Ok(size)
    }
}

/// The labels of the axes of an operand with so many.
#[inline]
fn labels(term: &str, rank: Option<usize>) -> Result<Labels, String> {
    let (before, after) =
        term.split_once("...").map_or((term, None), |(before, after)| (before, Some(after)));
    let letters = before.len() + after.map_or(0, str::len);
    if let Some(other) =
        term.replacen("...", "", 1).chars().find(|character| !character.is_ascii_alphabetic())
    {
        return Err(format!(
            "`{other}` in `{term}` names no axis; axes are letters from a to z and from A to Z, or `...`"
        ));
    }
    let rank = rank.unwrap_or(letters);
    let ellipses = match (after, rank.checked_sub(letters)) {
        (Some(_), Some(ellipses)) => ellipses,
        (None, Some(0)) => 0,
        _ => return Err(format!("`{term}` does not suit an operand with {rank} axes")),
    };
    let letters = |text: &str| text.chars().map(Label::Letter).collect::<Labels>();
    let mut labels = letters(before);
    labels.extend((0..ellipses).rev().map(Label::Ellipsis));
    labels.extend(letters(after.unwrap_or_default()));
    Ok(labels)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, ranks: &[usize]) -> String {
        let shown = |labels: &Labels| -> String {
            labels
                .iter()
                .map(|label| match label {
                    Label::Letter(letter) => letter.to_string(),
                    Label::Ellipsis(axis) => axis.to_string(),
                })
                .collect()
        };
        match Equation::read(text, ranks) {
            Ok(equation) => {
                let operands: Vec<String> = equation.operands.iter().map(shown).collect();
                format!("{}->{}", operands.join(","), shown(&equation.result))
            }
            Err(why) => why,
        }
    }

    /// As the documentation of `numpy.einsum` says it.
    #[test]
    fn equations_name_the_axes() {
        assert_eq!(read("ij,jk", &[2, 2]), "ij,jk->ik");
        assert_eq!(read("ba", &[2]), "ba->ab");
        assert_eq!(read("bA", &[2]), "bA->Ab");
        assert_eq!(read("ii", &[2]), "ii->");
        assert_eq!(read(" i j , j -> i ", &[2, 1]), "ij,j->i");
        assert_eq!(read("...ij,...jk->...ik", &[3, 4]), "0ij,10jk->10ik");
        assert_eq!(read("i...,i...", &[3, 2]), "i10,i0->10");
        assert_eq!(read("...", &[0]), "->");
        assert_eq!(read("->", &[0]), "->");
        assert!(read("ij", &[3]).contains("does not suit"));
        assert!(read("ij,jk", &[2]).contains("of 2 operands"));
        assert!(read("i->ij", &[1]).contains("of no operand"));
        assert!(read("ij->ii", &[2]).contains("twice"));
        assert!(read("i2", &[2]).contains("`2`"));
        assert!(read("i.j", &[3]).contains("`.`"));
        assert!(read("......", &[3]).contains("`.`"));
        assert!(read("i->j->k", &[1]).contains("names no axis"));
    }
}
