//! Suggestions for a name that is not known.

/// Returns a sentence that suggests those of `known` that are like `name`, best first; empty where none is.
pub(crate) fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let near = nearest(name, known);
    match near.split_last() {
        None => String::new(),
        Some((only, [])) => format!("; did you mean {only}?"),
        Some((last, rest)) => format!("; did you mean {} or {last}?", rest.join(", ")),
    }
}

/// Returns up to three of `known` that are like `name`, best first.
fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name = name.to_lowercase();
    let likeness = |known: &str| {
        let known = known.to_lowercase();
        // A part of a name is what people remember, and the shorter of two names is nearer to it.
        let part = name.len() >= 3 && known.contains(&name);
        let bonus = if part { 0.5 * name.len() as f64 / known.len() as f64 + 0.3 } else { 0.0 };
        strsim::normalized_damerau_levenshtein(&name, &known) + bonus
    };
    let mut all: Vec<(f64, &str)> = known.into_iter().map(|known| (likeness(known), known)).collect();
    all.retain(|(likeness, _)| *likeness >= 0.6);
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.len().cmp(&b.1.len())).then(a.1.cmp(b.1)));
    all.dedup_by_key(|(_, known)| *known);
    all.into_iter().take(3).map(|(_, known)| known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_parts_of_names_are_understood_and_nonsense_is_not() {
        let known = ["add", "addcmul", "sub", "floor_divide", "cumsum"];
        assert_eq!(nearest("ad", known), ["add"]);
        assert_eq!(nearest("adcmul", known), ["addcmul"]);
        assert_eq!(nearest("CUMSMU", known), ["cumsum"]);
        assert_eq!(nearest("divide", known), ["floor_divide"]);
        assert_eq!(nearest("qqqq", known), [""; 0]);
        assert_eq!(hint("sbu", known), "; did you mean sub?");
        assert_eq!(hint("qqqq", known), "");
    }
}
