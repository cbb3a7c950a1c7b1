//! The items that are measured: what each computes, in which element types, and where the elements lie.

use aclnn::DType::{self, *};
use serde_json::{Value, json};

/// One row of the table.
pub(crate) struct Item {
    pub(crate) name: &'static str,
    pub(crate) work: Work,
    pub(crate) inputs: &'static [Input],
    pub(crate) out: DType,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    Add,
    Mul,
    Cast,
    Arange,
}

#[derive(Clone, Copy)]
pub(crate) struct Input {
    pub(crate) dtype: DType,
    view: View,
}

/// How an input lies in memory.
#[derive(Clone, Copy, PartialEq)]
enum View {
    Whole,
    Transposed,
    /// Every second element of twice as many.
    EveryOther,
    /// `[N, 1]`
    Column,
    /// `[1, M]`
    Row,
    /// `[M]`
    Vector,
}

/// Where the elements of a tensor lie.
pub(crate) struct Place {
    pub(crate) dims: Vec<i64>,
    pub(crate) strides: Vec<i64>,
    /// The elements of the storage.
    pub(crate) stored: usize,
}

const fn whole(dtype: DType) -> Input {
    viewed(dtype, View::Whole)
}

const fn viewed(dtype: DType, view: View) -> Input {
    Input { dtype, view }
}

const fn add(name: &'static str, inputs: &'static [Input], out: DType) -> Item {
    Item { name, work: Work::Add, inputs, out }
}

const fn cast(name: &'static str, input: &'static [Input; 1], out: DType) -> Item {
    Item { name, work: Work::Cast, inputs: input, out }
}

const fn range(name: &'static str, out: DType) -> Item {
    Item { name, work: Work::Arange, inputs: &[], out }
}

pub(crate) const ITEMS: &[Item] = &[
    add("f32 + f32", &[whole(F32), whole(F32)], F32),
    add("f16 + f32", &[whole(F16), whole(F32)], F32),
    add("bf16 + f32", &[whole(BF16), whole(F32)], F32),
    add("f16 + bf16", &[whole(F16), whole(BF16)], F32),
    add("s32 + f16", &[whole(I32), whole(F16)], F16),
    add("f16 + f16", &[whole(F16), whole(F16)], F16),
    add("bf16 + bf16", &[whole(BF16), whole(BF16)], BF16),
    add("bool + f32", &[whole(Bool), whole(F32)], F32),
    add("s8 + u8", &[whole(I8), whole(U8)], I16),
    Item { name: "s64 · f32", work: Work::Mul, inputs: &[whole(I64), whole(F32)], out: F32 },
    add("f32 [N,1] + [1,M]", &[viewed(F32, View::Column), viewed(F32, View::Row)], F32),
    add("f32 [N,M] + [M]", &[whole(F32), viewed(F32, View::Vector)], F32),
    add("f32 + f32 transposed", &[whole(F32), viewed(F32, View::Transposed)], F32),
    add("f16 + f32 transposed", &[whole(F16), viewed(F32, View::Transposed)], F32),
    add("f32 + f32 every other", &[viewed(F32, View::EveryOther), viewed(F32, View::EveryOther)], F32),
    cast("f32 → f16", &[whole(F32)], F16),
    cast("f16 → f32", &[whole(F16)], F32),
    cast("f32 → bf16", &[whole(F32)], BF16),
    cast("bf16 → f32", &[whole(BF16)], F32),
    cast("f32 → f8e4m3", &[whole(F32)], F8E4M3FN),
    cast("f8e4m3 → f32", &[whole(F8E4M3FN)], F32),
    cast("f32 → f8e5m2", &[whole(F32)], F8E5M2),
    cast("f8e5m2 → f32", &[whole(F8E5M2)], F32),
    cast("f32 → s8", &[whole(F32)], I8),
    cast("f32 → bool", &[whole(F32)], Bool),
    cast("f64 → f32", &[whole(F64)], F32),
    cast("s64 → f32", &[whole(I64)], F32),
    range("range f32", F32),
    range("range s64", I64),
    range("range f16", F16),
    range("range bf16", BF16),
];

impl Item {
    /// Returns the shape of the result for about `elements` elements: the nearest square where the item is about rows and
    /// columns, with sides that are a power of two for a transposed input, which is the harder case.
    pub(crate) fn shape(&self, elements: usize) -> Vec<usize> {
        let has = |views: &[View]| self.inputs.iter().any(|input| views.contains(&input.view));
        let side = elements.isqrt();
        if has(&[View::Transposed]) {
            let above = side.next_power_of_two();
            let side = if above * above > 2 * elements { above / 2 } else { above };
            vec![side, side]
        } else if has(&[View::Column, View::Row, View::Vector]) {
            vec![side, side]
        } else {
            vec![elements]
        }
    }

    /// Returns the bytes that the item must read of each input, and those that it must write. Of every other element all
    /// are read, since memory is read in lines.
    pub(crate) fn bytes(&self, shape: &[usize]) -> (Vec<usize>, usize) {
        let size = |dtype: DType| dtype.bits() / 8;
        let read = self.inputs.iter().map(|input| input.place(shape).stored * size(input.dtype)).collect();
        (read, shape.iter().product::<usize>() * size(self.out))
    }

    /// Returns all that another program needs to measure the same.
    pub(crate) fn describe(&self, elements: usize) -> Value {
        let shape = self.shape(elements);
        let inputs = self.inputs.iter().map(|input| {
            let place = input.place(&shape);
            json!({
                "dtype": input.dtype.short_name(), "dims": place.dims, "strides": place.strides,
                "stored": place.stored,
            })
        });
        let inputs: Vec<Value> = inputs.collect();
        json!({
            "kind": "item", "item": self.name, "work": format!("{:?}", self.work), "inputs": inputs,
            "out": self.out.short_name(), "size": elements, "shape": shape,
        })
    }
}

impl Input {
    /// Returns where the elements lie for a result of `shape`.
    pub(crate) fn place(&self, shape: &[usize]) -> Place {
        let (rows, columns) = match shape {
            [rows, columns] => (*rows, *columns),
            _ => (1, shape.iter().product()),
        };
        let (dims, strides, stored) = match self.view {
            View::Whole => return Place::whole(shape),
            View::Transposed => (vec![rows, columns], vec![1, rows], rows * columns),
            View::EveryOther => (vec![columns], vec![2], 2 * columns),
            View::Column => (vec![rows, 1], vec![1, 1], rows),
            View::Row => (vec![1, columns], vec![columns, 1], columns),
            View::Vector => (vec![columns], vec![1], columns),
        };
        let as_i64 = |numbers: Vec<usize>| numbers.into_iter().map(|number| number as i64).collect();
        Place { dims: as_i64(dims), strides: as_i64(strides), stored }
    }
}

impl Place {
    /// Returns the place of a contiguous tensor.
    pub(crate) fn whole(shape: &[usize]) -> Self {
        let dims: Vec<i64> = shape.iter().map(|&dim| dim as i64).collect();
        let mut strides = vec![1; dims.len()];
        for axis in (1..dims.len()).rev() {
            strides[axis - 1] = strides[axis] * dims[axis];
        }
        Place { dims, strides, stored: shape.iter().product() }
    }
}
