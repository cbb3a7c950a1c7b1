//! The signatures of the operators, from their declarations: which element types each takes on each product.

macro_rules! families {
    ($($(#[$doc:meta])* $family:ident by $operators:ident;)*) => {
        $(aclnn_sys::$operators!(aclnn_numerics::signatures);)*
    };
}

aclnn_sys::operator_families!(families);
