//! Comments of the headers as Rust documentation.

use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, parse_quote};

/// Turns `@param name text` into a list.
pub(super) fn markdown(comment: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut in_parameters = false;
    for line in comment.lines() {
        let line = line.trim();
        match line.strip_prefix("@param ") {
            Some(parameter) => {
                if !in_parameters {
                    lines.push(String::new());
                }
                in_parameters = true;
                let (name, text) = parameter.split_once(' ').unwrap_or((parameter, ""));
                lines.push(format!("- `{name}`: {text}"));
            }
            None if in_parameters => lines.push(format!("  {line}")),
            None => lines.push(line.to_owned()),
        }
    }
    lines.join("\n").trim().to_owned()
}

/// Replaces a documentation attribute of many lines by many of one line, which are printed as `///`.
pub(super) fn split(attributes: &mut Vec<Attribute>) {
    *attributes = attributes.drain(..).flat_map(lines).collect();
}

fn lines(attribute: Attribute) -> Vec<Attribute> {
    let Meta::NameValue(pair) = &attribute.meta else { return vec![attribute] };
    let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value else { return vec![attribute] };
    if !pair.path.is_ident("doc") {
        return vec![attribute];
    }
    let text = text.value();
    text.lines()
        .map(|line| {
            let line = if line.is_empty() {
                String::new()
            } else {
                format!(" {}", line.strip_prefix(' ').unwrap_or(line))
            };
            let line = quote!(#line);
            parse_quote!(#[doc = #line])
        })
        .collect()
}
