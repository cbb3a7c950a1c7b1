//! Leaves out what only tests compile.

use syn::{
    Attribute, Expr, ImplItem, Item, Meta, Stmt, Token, TraitItem,
    punctuated::Punctuated,
    visit_mut::{self, VisitMut},
};

/// Removes everything under `#[cfg(test)]` and `#[cfg(doctest)]`; of the file itself too.
pub(crate) fn strip(file: &mut syn::File) {
    if is_test(&file.attrs) {
        file.items.clear();
    }
    Strip.visit_file_mut(file);
}

/// Returns whether a condition leaves an item out of everything but tests.
pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    let conditions = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    conditions
        .filter_map(|attribute| attribute.parse_args::<Meta>().ok())
        .any(|meta| holds(&meta) == Some(false))
}

/// Returns what a condition is outside of tests; `None` where it depends on more.
fn holds(condition: &Meta) -> Option<bool> {
    let list = match condition {
        Meta::Path(path) if path.is_ident("test") || path.is_ident("doctest") => return Some(false),
        Meta::List(list) => list,
        _ => return None,
    };
    let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
    let parts: Vec<Option<bool>> = parts.iter().map(holds).collect();
    if list.path.is_ident("not") {
        return parts.first()?.map(|part| !part);
    }
    // One part decides; without it, all parts have to be known.
    let decides = list.path.is_ident("any");
    if parts.contains(&Some(decides)) {
        Some(decides)
    } else if parts.contains(&None) {
        None
    } else {
        Some(!decides)
    }
}

struct Strip;

impl VisitMut for Strip {
    fn visit_file_mut(&mut self, node: &mut syn::File) {
        node.items.retain(|item| !is_test(of_item(item)));
        visit_mut::visit_file_mut(self, node);
    }

    fn visit_item_mod_mut(&mut self, node: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut node.content {
            items.retain(|item| !is_test(of_item(item)));
        }
        visit_mut::visit_item_mod_mut(self, node);
    }

    fn visit_item_impl_mut(&mut self, node: &mut syn::ItemImpl) {
        node.items.retain(|item| {
            !is_test(match item {
                ImplItem::Const(item) => &item.attrs,
                ImplItem::Fn(item) => &item.attrs,
                ImplItem::Type(item) => &item.attrs,
                ImplItem::Macro(item) => &item.attrs,
                _ => &[],
            })
        });
        visit_mut::visit_item_impl_mut(self, node);
    }

    fn visit_item_trait_mut(&mut self, node: &mut syn::ItemTrait) {
        node.items.retain(|item| {
            !is_test(match item {
                TraitItem::Const(item) => &item.attrs,
                TraitItem::Fn(item) => &item.attrs,
                TraitItem::Type(item) => &item.attrs,
                TraitItem::Macro(item) => &item.attrs,
                _ => &[],
            })
        });
        visit_mut::visit_item_trait_mut(self, node);
    }

    fn visit_block_mut(&mut self, node: &mut syn::Block) {
        node.stmts.retain(|statement| {
            !is_test(match statement {
                Stmt::Local(local) => &local.attrs,
                Stmt::Item(item) => of_item(item),
                Stmt::Expr(expression, _) => of_expression(expression),
                Stmt::Macro(statement) => &statement.attrs,
            })
        });
        visit_mut::visit_block_mut(self, node);
    }

    fn visit_expr_match_mut(&mut self, node: &mut syn::ExprMatch) {
        node.arms.retain(|arm| !is_test(&arm.attrs));
        visit_mut::visit_expr_match_mut(self, node);
    }

    fn visit_expr_struct_mut(&mut self, node: &mut syn::ExprStruct) {
        node.fields =
            std::mem::take(&mut node.fields).into_iter().filter(|field| !is_test(&field.attrs)).collect();
        visit_mut::visit_expr_struct_mut(self, node);
    }

    fn visit_fields_named_mut(&mut self, node: &mut syn::FieldsNamed) {
        node.named =
            std::mem::take(&mut node.named).into_iter().filter(|field| !is_test(&field.attrs)).collect();
        visit_mut::visit_fields_named_mut(self, node);
    }

    fn visit_item_enum_mut(&mut self, node: &mut syn::ItemEnum) {
        node.variants =
            std::mem::take(&mut node.variants).into_iter().filter(|one| !is_test(&one.attrs)).collect();
        visit_mut::visit_item_enum_mut(self, node);
    }
}

fn of_item(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::ForeignMod(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::TraitAlias(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Returns the attributes of the expressions that stand alone in a statement.
fn of_expression(expression: &Expr) -> &[Attribute] {
    match expression {
        Expr::Assign(one) => &one.attrs,
        Expr::Block(one) => &one.attrs,
        Expr::Call(one) => &one.attrs,
        Expr::ForLoop(one) => &one.attrs,
        Expr::If(one) => &one.attrs,
        Expr::Macro(one) => &one.attrs,
        Expr::Match(one) => &one.attrs,
        Expr::MethodCall(one) => &one.attrs,
        Expr::Return(one) => &one.attrs,
        Expr::Unsafe(one) => &one.attrs,
        _ => &[],
    }
}
