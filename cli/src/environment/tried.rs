//! The libraries that were tried, in few lines.

use aclnn::sys::Attempt;

/// Returns one line for each attempt; libraries of one directory that opened share a line.
pub(super) fn lines(tried: &[Attempt]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = tried;
    while let Some((first, after)) = rest.split_first() {
        let is_like = |other: &&Attempt| {
            other.error.is_none()
                && other.origin == first.origin
                && other.path.parent() == first.path.parent()
        };
        let more = after.iter().take_while(is_like).count();
        match (&first.error, first.path.parent()) {
            (None, Some(directory)) => {
                let names = rest.iter().take(more + 1).filter_map(|one| one.path.file_name());
                let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
                lines.push(format!(
                    "{} ({}): opened {}",
                    directory.display(),
                    first.origin,
                    names.join(", ")
                ));
                rest = after.get(more..).unwrap_or_default();
            }
            _ => {
                lines.push(first.to_string());
                rest = after;
            }
        }
    }
    lines
}
