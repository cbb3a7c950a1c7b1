//! What `cargo xtask bindings` makes of the headers.

#[allow(missing_docs, non_snake_case, non_camel_case_types, clippy::too_many_arguments)]
#[rustfmt::skip]
pub(crate) mod functions;
#[allow(missing_docs, non_snake_case, non_camel_case_types, non_upper_case_globals)]
#[rustfmt::skip]
pub(crate) mod types;
