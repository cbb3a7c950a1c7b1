//! Paths among the tokens of macros, which no parser knows.

use super::mention::{Mention, Space};
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use std::collections::BTreeSet;
use syn::ext::IdentExt;

/// Words after which a new name stands.
const DECLARES: &[&str] =
    &["const", "enum", "fn", "let", "mod", "mut", "ref", "static", "struct", "trait", "type", "union"];

/// Returns all words.
pub(crate) fn words(tokens: TokenStream) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => _ = all.insert(ident.unraw().to_string()),
            TokenTree::Group(group) => all.extend(words(group.stream())),
            _ => {}
        }
    }
    all
}

/// Adds every path; `inside` is the number of modules that lie around it within the macro.
pub(crate) fn scan(tokens: TokenStream, inside: usize, found: &mut Vec<Mention>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut scan = Scan { tokens: &tokens, inside, found };
    let mut at = 0;
    while at < tokens.len() {
        at = scan.step(at);
    }
}

struct Scan<'a> {
    tokens: &'a [TokenTree],
    inside: usize,
    found: &'a mut Vec<Mention>,
}

impl<'a> Scan<'a> {
    /// Reads what stands at a position, and returns the position behind it.
    fn step(&mut self, at: usize) -> usize {
        match &self.tokens[at] {
            TokenTree::Ident(ident) if ident == "pub" => {
                at + 1 + usize::from(self.is_range_of_visibility(at + 1))
            }
            TokenTree::Group(group) => {
                scan(group.stream(), self.inside + usize::from(self.is_body_of_module(at)), self.found);
                at + 1
            }
            TokenTree::Ident(ident) if DECLARES.iter().any(|word| ident == word) => {
                if self.is_punct(at + 1, '$') {
                    at + 3
                } else {
                    at + 1 + usize::from(self.ident(at + 1).is_some())
                }
            }
            TokenTree::Ident(ident) => self.path(at + 1, vec![ident.unraw().to_string()], ident),
            TokenTree::Punct(punct) => match (punct.as_char(), self.ident(at + 1)) {
                ('$', Some(ident)) if ident == "crate" => self.path(at + 2, vec!["crate".to_owned()], ident),
                // What a parameter of the macro stands for is written where the macro is used.
                ('$', Some(_)) => self.skipped(at + 2),
                ('\'', Some(_)) => at + 2,
                // A field or a method, unless the dot ends a range.
                ('.', Some(_)) if at == 0 || !self.is_punct(at - 1, '.') => at + 2,
                (':', _) if self.is_separator(at) => self.skipped(at),
                _ => at + 1,
            },
            TokenTree::Literal(_) => at + 1,
        }
    }

    /// Reads the rest of a path, from the position behind its first name on.
    fn path(&mut self, mut at: usize, mut path: Vec<String>, first: &Ident) -> usize {
        while self.is_separator(at) {
            match self.tokens.get(at + 2) {
                Some(TokenTree::Ident(ident)) => {
                    path.push(ident.unraw().to_string());
                    at += 3;
                }
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                    self.group(group, &path);
                    return at + 3;
                }
                Some(TokenTree::Punct(punct)) if punct.as_char() == '$' => {
                    // The parameter stands for a name in the module before it. Behind `$crate` it may be any.
                    if path != ["crate"] {
                        self.mention(path, Space::Any, first);
                    }
                    return self.skipped(at);
                }
                Some(TokenTree::Punct(punct)) if punct.as_char() == '*' => {
                    self.mention(path, Space::Any, first);
                    return at + 3;
                }
                // The arguments of a generic function.
                _ => {
                    at += 2;
                    break;
                }
            }
        }
        let called = matches!(self.tokens.get(at), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
        let is_macro = self.is_punct(at, '!') && !self.is_punct(at + 1, '=');
        // Most small words alone are variables.
        if path.len() > 1 || is_macro || called || path[0].starts_with(char::is_uppercase) {
            self.mention(path, if is_macro { Space::Macro } else { Space::Any }, first);
        }
        at
    }

    /// Reads the group of a `use` line behind `before`.
    fn group(&mut self, group: &Group, before: &[String]) {
        let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
        for part in tokens.split(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',')) {
            let mut scan = Scan { tokens: part, inside: self.inside, found: self.found };
            match part.first() {
                Some(TokenTree::Ident(ident)) if ident == "self" => {
                    scan.mention(before.to_vec(), Space::Any, ident)
                }
                Some(TokenTree::Ident(ident)) => {
                    let path = [before, &[ident.unraw().to_string()]].concat();
                    scan.path(1, path, ident);
                }
                Some(token) => {
                    let ident = Ident::new("glob", token.span());
                    scan.mention(before.to_vec(), Space::Any, &ident);
                }
                None => {}
            }
        }
    }

    fn mention(&mut self, path: Vec<String>, space: Space, first: &Ident) {
        self.found.push(Mention { path, space, line: first.span().start().line, inside: self.inside });
    }

    /// Returns the position behind a path that goes on at `at` and leads to another crate or to what is not known.
    fn skipped(&self, mut at: usize) -> usize {
        while self.is_separator(at) {
            at += 2;
            if self.is_punct(at, '$') {
                at += 1;
            }
            if self.ident(at).is_some() {
                at += 1;
            }
        }
        at
    }

    fn ident(&self, at: usize) -> Option<&'a Ident> {
        match self.tokens.get(at) {
            Some(TokenTree::Ident(ident)) => Some(ident),
            _ => None,
        }
    }

    fn is_punct(&self, at: usize, character: char) -> bool {
        matches!(self.tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == character)
    }

    fn is_separator(&self, at: usize) -> bool {
        self.is_punct(at, ':') && self.is_punct(at + 1, ':')
    }

    /// Returns whether `(crate)` or the like stands at a position, or rather the type of a field in parentheses.
    fn is_range_of_visibility(&self, at: usize) -> bool {
        let Some(TokenTree::Group(group)) = self.tokens.get(at) else { return false };
        let words = ["crate", "in", "self", "super"];
        let first = group.stream().into_iter().next();
        matches!(first, Some(TokenTree::Ident(ident)) if words.iter().any(|word| ident == word))
    }

    /// Returns whether a group stands behind `mod name` or `mod $name`.
    fn is_body_of_module(&self, at: usize) -> bool {
        let is_mod = |back: usize| {
            at.checked_sub(back).and_then(|at| self.ident(at)).is_some_and(|ident| ident == "mod")
        };
        is_mod(2) || (is_mod(3) && self.is_punct(at - 2, '$'))
    }
}
