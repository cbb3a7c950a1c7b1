//! Tests that go over every value of a type. `.ci/run` builds this program with optimisation, where they go over many values;
//! without, they go over a sample. `EVERY_ARGUMENT=1` makes them go over all.

mod accuracy;
