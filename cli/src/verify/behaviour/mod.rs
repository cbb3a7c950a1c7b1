//! Behaviour of a backend beside the results of operators, as named checks.
//!
//! Each rests on what CANN documents or its published sources do, which its sentence names. What neither decides is a
//! probe instead.

mod check;
mod codes;
mod copies;
mod end;
mod executors;
mod order;
mod resources;
mod threads;
mod views;

pub(super) use check::Check;

/// Every check, in the order in which they run.
pub(crate) fn all() -> impl Iterator<Item = &'static Check> {
    let rooms = [
        order::CHECKS,
        copies::CHECKS,
        codes::CHECKS,
        executors::CHECKS,
        views::CHECKS,
        resources::CHECKS,
        threads::CHECKS,
        end::CHECKS,
    ];
    rooms.into_iter().flatten()
}
