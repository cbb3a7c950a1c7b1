//! The paths that a module writes: in `use` lines, in types and expressions, and in the tokens of macros.

use super::{
    mention::{Import, Mention, Space},
    tokens,
};
use proc_macro2::Span;
use std::collections::BTreeSet;
use syn::{
    Item, Meta, Pat, UseTree, Visibility,
    ext::IdentExt,
    visit::{self, Visit},
};

/// Everything that a module names.
#[derive(Default)]
pub(crate) struct Paths {
    pub(crate) imports: Vec<Import>,
    pub(crate) mentions: Vec<Mention>,
    /// The names of variables of the function that is being read.
    variables: BTreeSet<String>,
    space: Option<Space>,
}

impl Paths {
    /// Collects the paths of the items of a module.
    pub(crate) fn of(items: &[Item]) -> Paths {
        let mut paths = Paths::default();
        items.iter().for_each(|item| paths.visit_item(item));
        paths
    }

    fn mention(&mut self, path: Vec<String>, space: Space, span: Span) {
        self.mentions.push(Mention { path, space, line: span.start().line, inside: 0 });
    }

    fn import(&mut self, tree: &UseTree, before: &[String], exported: bool) {
        let extended = |ident: &syn::Ident| [before, &[ident.unraw().to_string()]].concat();
        let (path, name, line) = match tree {
            UseTree::Path(tree) => return self.import(&tree.tree, &extended(&tree.ident), exported),
            UseTree::Group(tree) => {
                return tree.items.iter().for_each(|tree| self.import(tree, before, exported));
            }
            UseTree::Name(tree) => (extended(&tree.ident), None, tree.ident.span().start().line),
            UseTree::Rename(tree) => {
                let line = tree.ident.span().start().line;
                (extended(&tree.ident), Some(tree.rename.unraw().to_string()), line)
            }
            UseTree::Glob(tree) => {
                let line = tree.star_token.spans[0].start().line;
                self.imports.push(Import { path: before.to_vec(), name: None, exported, line });
                return;
            }
        };
        // `a::{self}` is `a` itself.
        let path = if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            before.to_vec()
        } else {
            path
        };
        let name = name.or_else(|| path.last().cloned());
        self.imports.push(Import { path, name, exported, line });
    }

    /// Reads a function, within which the names of its variables are no paths.
    fn function(&mut self, variables: BTreeSet<String>, read: impl FnOnce(&mut Self)) {
        let outer = self.variables.clone();
        self.variables.extend(variables);
        read(self);
        self.variables = outer;
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_use(&mut self, node: &'ast syn::ItemUse) {
        // A path that starts with `::` leads to another crate.
        if node.leading_colon.is_none() {
            let exported = match &node.vis {
                Visibility::Inherited => false,
                Visibility::Restricted(restricted) => !restricted.path.is_ident("self"),
                Visibility::Public(_) => true,
            };
            self.import(&node.tree, &[], exported);
        }
    }

    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        self.function(Variables::of(|all| all.visit_item_fn(node)), |paths| {
            visit::visit_item_fn(paths, node)
        });
    }

    fn visit_impl_item_fn(&mut self, node: &'ast syn::ImplItemFn) {
        let variables = Variables::of(|all| all.visit_impl_item_fn(node));
        self.function(variables, |paths| visit::visit_impl_item_fn(paths, node));
    }

    fn visit_trait_item_fn(&mut self, node: &'ast syn::TraitItemFn) {
        let variables = Variables::of(|all| all.visit_trait_item_fn(node));
        self.function(variables, |paths| visit::visit_trait_item_fn(paths, node));
    }

    fn visit_expr_path(&mut self, node: &'ast syn::ExprPath) {
        self.space = Some(Space::Value);
        visit::visit_expr_path(self, node);
    }

    fn visit_type_path(&mut self, node: &'ast syn::TypePath) {
        self.space = Some(Space::Type);
        visit::visit_type_path(self, node);
    }

    fn visit_qself(&mut self, node: &'ast syn::QSelf) {
        let space = self.space.take();
        visit::visit_qself(self, node);
        self.space = space;
    }

    fn visit_path(&mut self, node: &'ast syn::Path) {
        let space = self.space.take().unwrap_or(Space::Any);
        if node.leading_colon.is_none() {
            let path: Vec<String> =
                node.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect();
            let is_variable =
                space != Space::Type && matches!(&path[..], [name] if self.variables.contains(name));
            if let (false, Some(first)) = (is_variable, node.segments.first()) {
                self.mention(path, space, first.ident.span());
            }
        }
        visit::visit_path(self, node);
    }

    fn visit_pat(&mut self, node: &'ast Pat) {
        if let Pat::Ident(pattern) = node
            && is_constant(pattern)
        {
            self.mention(vec![pattern.ident.to_string()], Space::Value, pattern.ident.span());
        }
        visit::visit_pat(self, node);
    }

    fn visit_macro(&mut self, node: &'ast syn::Macro) {
        self.space = Some(Space::Macro);
        self.visit_path(&node.path);
        tokens::scan(node.tokens.clone(), 0, &mut self.mentions);
    }

    fn visit_attribute(&mut self, node: &'ast syn::Attribute) {
        if node.path().segments.len() > 1 {
            self.visit_path(node.path());
        }
        if let Meta::List(list) = &node.meta {
            tokens::scan(list.tokens.clone(), 0, &mut self.mentions);
        }
    }

    /// Skips `pub(in path)`, which names a module without using it.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}
}

/// The names that patterns bind.
#[derive(Default)]
struct Variables(BTreeSet<String>);

impl Variables {
    fn of(read: impl FnOnce(&mut Self)) -> BTreeSet<String> {
        let mut all = Self::default();
        read(&mut all);
        all.0
    }
}

impl<'ast> Visit<'ast> for Variables {
    fn visit_pat_ident(&mut self, node: &'ast syn::PatIdent) {
        if !is_constant(node) {
            self.0.insert(node.ident.unraw().to_string());
        }
        visit::visit_pat_ident(self, node);
    }
}

/// Returns whether a pattern looks like the name of a constant or a variant, rather than a new variable.
fn is_constant(pattern: &syn::PatIdent) -> bool {
    pattern.by_ref.is_none()
        && pattern.mutability.is_none()
        && pattern.subpat.is_none()
        && pattern.ident.to_string().starts_with(char::is_uppercase)
}
