//! Tests that go over every value of a type. `.ci/run` builds this program with optimisation, where they go over all of it;
//! without, they go over a part.

mod onnx_exhaustive;
mod onnx_on_cann;
mod oracle;
mod short_floats;
mod sweep;
