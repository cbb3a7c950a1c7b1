//! The language in which people are spoken to: English, or Chinese by translations that a text file holds.
//!
//! Messages are made in English, whatever the language. Where one leaves the program, [`Translations`] recognises the
//! sentence that it was made from and says it in Chinese. English costs nothing but the question which language it is.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::sync::OnceLock;

/// A language in which people are spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English, the language of the source.
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    /// Returns the language of this process: that of `ACLNN_LANG`, or else that of the locale. It is read once.
    pub fn get() -> Self {
        static LANGUAGE: OnceLock<Language> = OnceLock::new();
        *LANGUAGE.get_or_init(|| Self::from_variables(|name| std::env::var_os(name)))
    }

    /// Returns the language that environment variables choose; `variable` returns the value of one by its name.
    pub fn from_variables(variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let names = ["ACLNN_LANG", "LC_ALL", "LC_MESSAGES", "LANG"];
        let value = names.into_iter().filter_map(variable).find(|value| !value.is_empty());
        let is_chinese = value.is_some_and(|value| value.to_string_lossy().to_lowercase().starts_with("zh"));
        if is_chinese { Self::Chinese } else { Self::English }
    }
}

/// Sentences and their translations, from a text with one on each line: the English template, a tab, and the other.
///
/// A hole of a template is `{}`; it holds anything, and is translated in turn. A translation may number the holes, from
/// `{1}` on. Lines that begin with `#` are comments. The templates up to the first empty line frame other messages: they
/// are tried first, in their order. Of the others, the one with the most letters wins.
#[derive(Debug)]
pub struct Translations(Vec<Translation>);

/// The longest message that is translated, in bytes: one with a name of any length in it stays as it is.
const LONGEST: usize = 4096;

/// The most sentences and holes that one message is taken apart into; the rest stays as it is.
const MOST_PARTS: usize = 100;

#[derive(Debug)]
struct Translation {
    template: &'static str,
    translated: &'static str,
}

impl Translations {
    /// Reads the lines of a text if the language of this process is Chinese. Else nothing is translated.
    pub fn of_process(text: &'static str) -> Self {
        match Language::get() {
            Language::English => Self(Vec::new()),
            Language::Chinese => Self::parse(text),
        }
    }

    /// Reads the lines of a text; one without a tab is left out.
    pub fn parse(text: &'static str) -> Self {
        let (frames, others) = text.split_once("\n\n").unwrap_or(("", text));
        let read = |part: &'static str| -> Vec<Translation> {
            let lines = part.lines().filter(|line| !line.starts_with('#'));
            let lines = lines.filter_map(|line| line.split_once('\t'));
            lines.map(|(template, translated)| Translation { template, translated }).collect()
        };
        let (mut all, mut others) = (read(frames), read(others));
        others.sort_by_key(|one| std::cmp::Reverse(letters(one.template)));
        all.append(&mut others);
        // A template of holes alone would never come to an end.
        all.retain(|one| letters(one.template) > 0);
        Self(all)
    }

    /// Returns a message in the other language, or as it is where no template fits.
    pub fn translate(&self, message: &str) -> String {
        let mut out = String::with_capacity(message.len());
        self.write(message, &mut out, &mut { MOST_PARTS });
        out
    }

    fn write(&self, message: &str, out: &mut String, parts: &mut usize) {
        let fits = |one: &Translation| Some((one.translated, holes(one.template, message)?));
        let is_tried = *parts > 0 && message.len() <= LONGEST;
        *parts = parts.saturating_sub(1);
        let Some((translated, holes)) = self.0.iter().filter(|_| is_tried).find_map(fits) else {
            out.push_str(message);
            return;
        };
        let mut next = 0;
        let mut rest = translated;
        while let Some((before, number, after)) = hole(rest) {
            out.push_str(before);
            if let Some(held) = holes.get(number.unwrap_or(next)) {
                self.write(held, out, parts);
            }
            next += 1;
            rest = after;
        }
        out.push_str(rest);
    }
}

/// Returns how many bytes of a template are not of holes.
fn letters(template: &str) -> usize {
    template.split("{}").map(str::len).sum()
}

/// Returns the text before the first hole of a translation, the index that it names, and the text after it.
fn hole(text: &str) -> Option<(&str, Option<usize>, &str)> {
    text.match_indices('{').find_map(|(at, _)| {
        let (before, rest) = text.split_at_checked(at)?;
        let (number, after) = rest.strip_prefix('{')?.split_once('}')?;
        match number {
            "" => Some((before, None, after)),
            _ => Some((before, Some(number.parse::<usize>().ok()?.checked_sub(1)?), after)),
        }
    })
}

/// Returns what the holes of a template hold in a message that was made from it: each as little as it can.
fn holes<'a>(template: &str, message: &'a str) -> Option<Vec<&'a str>> {
    let (mut parts, last) = match template.rsplit_once("{}") {
        Some((before, last)) => (before.split("{}"), last),
        None => return (template == message).then(Vec::new),
    };
    let mut rest = message.strip_prefix(parts.next()?)?.strip_suffix(last)?;
    let mut holes = Vec::new();
    for part in parts {
        let (held, after) = rest.split_once(part)?;
        holes.push(held);
        rest = after;
    }
    holes.push(rest);
    Some(holes)
}

/// Returns the lines of a text that [`Translations::parse`] cannot use, or whose translation lacks a hole or has one too
/// many: for the tests of those who write one.
pub fn faults(text: &'static str) -> String {
    let mut faults = String::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let Some((template, translated)) = line.split_once('\t') else {
            _ = writeln!(faults, "no tab: {line}");
            continue;
        };
        let mut used = Vec::new();
        let mut rest = translated;
        while let Some((_, number, after)) = hole(rest) {
            used.push(number.unwrap_or(used.len()));
            rest = after;
        }
        let holes = template.matches("{}").count();
        let all_are_used = used.len() == holes && (0..holes).all(|hole| used.contains(&hole));
        if !all_are_used || letters(template) == 0 {
            _ = writeln!(faults, "{line}");
        }
    }
    faults
}
