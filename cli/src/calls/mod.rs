//! The operators of the safe layer, called by name with arguments that are given as text.
//!
//! The tables list the functions, from the declarations of the operators where all functions of a family are called
//! alike. `given` hands the arguments to a call, and `operation` carries it out; `refused` tells why the other declared
//! operators cannot be called.

// Floors, from the ground up.
//
// 1. `operation`: what a call does once its arguments are there
// 2. `given`: arguments by the kinds of parameters
// 3. `function`: a function that can be called, and the macro that lists functions
// 4. `along_axes`, `attention`, `elementwise`, `images`, `in_place`, `indexed`, `linalg`, `losses`, `made`, `matrix`, `moved`,
//    `normalization`, `quantisation`, `random`, `recurrent`, `refused`: the functions
// 5. `find`: functions by their names

mod along_axes;
mod attention;
mod elementwise;
mod find;
mod function;
mod given;
mod images;
mod in_place;
mod indexed;
mod linalg;
mod losses;
mod made;
mod matrix;
mod moved;
mod normalization;
mod operation;
mod quantisation;
mod random;
mod recurrent;
mod refused;
#[cfg(test)]
mod tests;

pub(crate) use find::{all, find, in_c, offered};
pub(crate) use function::Function;
pub(crate) use given::{Given, Value, number};
pub(crate) use operation::{Options, Outcome};
