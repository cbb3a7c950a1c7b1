//! The places of the declared operators among all, by which a table finds them.

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident by $list:ident;)*) => {
        /// The families, in the order of their declarations.
        #[allow(non_camel_case_types)]
        pub(super) enum Family {
            $($family),*
        }
    };
}

crate::operator_families!(families);

/// Returns the place of the first operator of a family.
pub(super) const fn first_of(family: Family) -> usize {
    let (families, family) = (crate::families::FAMILIES, family as usize);
    let (mut first, mut index) = (0, 0);
    while index < family {
        first += families[index].len();
        index += 1;
    }
    first
}
