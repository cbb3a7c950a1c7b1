//! Items by ndarray, as closures over the elements of arrays.

use std::iter;

use bytemuck::Pod;
use half::{bf16, f16};
use ndarray::{ArrayD, ArrayViewD, IxDyn, ShapeBuilder, Zip};

use crate::peers::Result;
use crate::peers::items::{Item, Place};
use crate::peers::subject::{Peer, Run};

pub(crate) fn peer() -> Peer {
    Peer { name: "ndarray", version: crate::version("ndarray"), prepare }
}

/// A type that an array holds: bool is a byte, of which `bytemuck` can make others.
trait Number: Pod + Default {}
impl<T: Pod + Default> Number for T {}

struct Inputs<'a> {
    item: &'a Item,
    shape: &'a [usize],
    bytes: &'a [Vec<u8>],
}

/// There are no 8-bit floats beside this library.
fn prepare(item: &Item, shape: &[usize], bytes: &[Vec<u8>]) -> Option<Box<dyn Run>> {
    let inputs = Inputs { item, shape, bytes };
    Some(match item.name {
        "f16 + f32" | "f16 + f32 transposed" => inputs.two(|a: f16, b: f32| a.to_f32() + b),
        "bf16 + f32" => inputs.two(|a: bf16, b: f32| a.to_f32() + b),
        "f16 + bf16" => inputs.two(|a: f16, b: bf16| a.to_f32() + b.to_f32()),
        "s32 + f16" => inputs.two(|a: i32, b: f16| f16::from_f32(a as f32 + b.to_f32())),
        "f16 + f16" => inputs.two(|a: f16, b: f16| a + b),
        "bf16 + bf16" => inputs.two(|a: bf16, b: bf16| a + b),
        "bool + f32" => inputs.two(|a: u8, b: f32| f32::from(a) + b),
        "s8 + u8" => inputs.two(|a: i8, b: u8| i16::from(a) + i16::from(b)),
        "s64 · f32" => inputs.two(|a: i64, b: f32| a as f32 * b),
        "f32 → f16" => inputs.one(f16::from_f32),
        "f16 → f32" => inputs.one(f16::to_f32),
        "f32 → bf16" => inputs.one(bf16::from_f32),
        "bf16 → f32" => inputs.one(bf16::to_f32),
        "f32 → s8" => inputs.one(|a: f32| a as i8),
        "f32 → bool" => inputs.one(|a: f32| u8::from(a != 0.0)),
        "f64 → f32" => inputs.one(|a: f64| a as f32),
        "s64 → f32" => inputs.one(|a: i64| a as f32),
        "range f32" => inputs.range(|index| index as f32),
        "range s64" => inputs.range(|index| index as i64),
        "range f16" => inputs.range(|index| f16::from_f32(index as f32 / 1024.0)),
        "range bf16" => inputs.range(|index| bf16::from_f32(index as f32 / 1024.0)),
        name if name.contains("f8") => return None,
        _ => inputs.two(|a: f32, b: f32| a + b),
    })
}

impl Inputs<'_> {
    fn array<T: Number>(&self, index: usize) -> Array<T> {
        Array {
            data: bytemuck::pod_collect_to_vec(&self.bytes[index]),
            place: self.item.inputs[index].place(self.shape),
        }
    }

    fn work<O: Number>(&self, compute: impl FnMut(&mut ArrayD<O>) + 'static) -> Box<dyn Run> {
        Box::new(Nd { out: ArrayD::default(self.shape), compute: Box::new(compute) })
    }

    fn one<A: Number, O: Number>(&self, compute: impl Fn(A) -> O + 'static) -> Box<dyn Run> {
        let a = self.array(0);
        self.work(move |out| Zip::from(out).and(a.view()).for_each(|out, &a| *out = compute(a)))
    }

    fn two<A: Number, B: Number, O: Number>(&self, compute: impl Fn(A, B) -> O + 'static) -> Box<dyn Run> {
        let (a, b) = (self.array(0), self.array(1));
        self.work(move |out| {
            Zip::from(out)
                .and_broadcast(a.view())
                .and_broadcast(b.view())
                .for_each(|out, &a, &b| *out = compute(a, b))
        })
    }

    fn range<O: Number>(&self, compute: impl Fn(usize) -> O + 'static) -> Box<dyn Run> {
        self.work(move |out| iter::zip(out, 0..).for_each(|(out, index)| *out = compute(index)))
    }
}

struct Array<T> {
    data: Vec<T>,
    place: Place,
}

impl<T> Array<T> {
    fn view(&self) -> ArrayViewD<'_, T> {
        let sizes =
            |numbers: &[i64]| IxDyn(&numbers.iter().map(|&number| number as usize).collect::<Vec<_>>());
        let shape = sizes(&self.place.dims).strides(sizes(&self.place.strides));
        match ArrayViewD::from_shape(shape, &self.data) {
            Ok(view) => view,
            Err(error) => unreachable!("the item lies otherwise: {error}"),
        }
    }
}

struct Nd<O> {
    out: ArrayD<O>,
    compute: Box<dyn FnMut(&mut ArrayD<O>)>,
}

impl<O: Number> Run for Nd<O> {
    fn run(&mut self) -> Result<()> {
        (self.compute)(&mut self.out);
        Ok(())
    }

    fn result(&mut self) -> Result<Vec<u8>> {
        Ok(bytemuck::cast_slice(self.out.as_slice().unwrap_or_default()).to_vec())
    }
}
