//! What a module names: the names that it imports, and the paths that it uses.

/// The kind of thing that a name stands for; one name may stand for one thing of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Space {
    /// A type, a trait or a module.
    Type,
    /// A function, a constant or a static.
    Value,
    Macro,
    /// Not known, or all of them.
    Any,
}

/// A name that a `use` line brings.
#[derive(Debug)]
pub(crate) struct Import {
    pub(crate) path: Vec<String>,
    /// The name in this module; `None` for all names of what the path leads to.
    pub(crate) name: Option<String>,
    /// Whether other modules find the name here.
    pub(crate) exported: bool,
    pub(crate) line: usize,
}

/// A path anywhere else.
#[derive(Debug)]
pub(crate) struct Mention {
    /// Names, behind any of `crate`, `self` and `super`.
    pub(crate) path: Vec<String>,
    pub(crate) space: Space,
    pub(crate) line: usize,
    /// The number of modules that lie around the path within a macro: `super` leads out of these first.
    pub(crate) inside: usize,
}
