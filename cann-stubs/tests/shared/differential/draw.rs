//! What random calls are made of: sizes, types, and arrays of small integers.

use aclnn_numerics::{Complex, DType, Element, bf16, f16};

use crate::support::cases::{Argument, Case, Elements};
use crate::support::random::Random;

/// The types that most operators take.
pub(super) const NUMBERS: &[DType] = &[
    DType::F32,
    DType::F16,
    DType::BF16,
    DType::F64,
    DType::I8,
    DType::U8,
    DType::I16,
    DType::I32,
    DType::I64,
];

/// A source of random choices.
pub(super) struct Draw(Random);

/// Numbers in row-major order.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) dims: Vec<i64>,
    pub(super) values: Vec<i64>,
}

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        random.below(2);
        Self(random)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    /// Whether something happens that does so once in `times`.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    pub(super) fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Sizes: few axes, and mostly few elements; now and then none, eight axes, or rows that take long loops.
    pub(super) fn dims(&mut self) -> Vec<i64> {
        let rank = if self.once_in(20) { self.below(9) } else { self.below(5) };
        let mut dims: Vec<i64> = (0..rank).map(|_| self.between(1, if rank > 4 { 2 } else { 5 })).collect();
        if !dims.is_empty() {
            let axis = self.below(rank);
            match self.below(24) {
                0 => dims[axis] = 0,
                1..4 => dims[axis] = self.between(100, 400),
                _ => {}
            }
        }
        while dims.iter().product::<i64>() > 3000 {
            let largest = (0..rank).max_by_key(|axis| dims[*axis]).expect("an axis");
            dims[largest] /= 2;
        }
        dims
    }

    /// Sizes that broadcast to `dims`.
    pub(super) fn broadcastable(&mut self, dims: &[i64]) -> Vec<i64> {
        let missing = if self.once_in(3) { self.below(dims.len() + 1) } else { 0 };
        let keep = |(size, axis)| if axis { 1 } else { size };
        let axes: Vec<bool> = dims.iter().map(|_| self.once_in(4)).collect();
        dims.iter().copied().zip(axes).skip(missing).map(keep).collect()
    }

    /// An array of numbers from `low` to `high`.
    pub(super) fn array(&mut self, dims: &[i64], low: i64, high: i64) -> Array {
        let values = (0..dims.iter().product()).map(|_| self.between(low, high)).collect();
        Array { dims: dims.to_vec(), values }
    }

    /// Numbers that fit a type.
    pub(super) fn numbers(&mut self, dtype: DType, dims: &[i64]) -> Array {
        match dtype {
            DType::Bool => self.array(dims, 0, 1),
            DType::U8 | DType::U16 | DType::U32 | DType::U64 => self.array(dims, 0, 9),
            _ => self.array(dims, -9, 9),
        }
    }

    /// An input with these elements; now and then some axes hold one element only, repeated by strides of 0, which `array`
    /// then holds as well.
    pub(super) fn input(&mut self, dtype: DType, array: &mut Array) -> Argument {
        if !self.once_in(6) || array.values.is_empty() {
            return Argument::Tensor(array.elements(dtype));
        }
        let narrow: Vec<i64> =
            array.dims.iter().map(|size| if self.once_in(2) { 1 } else { *size }).collect();
        let count = narrow.iter().product::<i64>() as usize;
        let few = Array { dims: narrow, values: array.values[..count].to_vec() };
        *array = few.broadcast(&array.dims);
        Argument::Spread(few.elements(dtype), array.dims.clone())
    }

    /// A type to which a result of type `dtype` is converted, whole numbers being exact in both.
    pub(super) fn result_type(&mut self, dtype: DType) -> DType {
        if !self.once_in(4) {
            return dtype;
        }
        let floats = [DType::F32, DType::F16, DType::BF16, DType::F64];
        let all = [DType::F32, DType::I64, DType::I32, DType::F64, DType::I16];
        if dtype.is_float() { self.one(&floats) } else { self.one(&all) }
    }
}

impl Array {
    /// The elements in a type; integers wrap.
    pub(super) fn elements(&self, dtype: DType) -> Elements {
        let bytes = self.values.iter().flat_map(|value| encoded(dtype, *value)).collect();
        Elements { bytes, ..Elements::of_dims(dtype, &self.dims) }
    }

    /// The element at a position; axes that have one element are repeated, and leading axes may be missing.
    pub(super) fn at(&self, position: &[i64]) -> i64 {
        let position = &position[position.len() - self.dims.len()..];
        let place = self
            .dims
            .iter()
            .zip(position)
            .fold(0, |place, (size, index)| place * size + if *size == 1 { 0 } else { *index });
        self.values[place as usize]
    }

    pub(super) fn broadcast(&self, dims: &[i64]) -> Array {
        Array::of(dims, |position| self.at(position))
    }

    /// An array of the values that a function has for each position.
    pub(super) fn of(dims: &[i64], mut value: impl FnMut(&[i64]) -> i64) -> Array {
        let count = dims.iter().product::<i64>();
        let values = (0..count)
            .map(|index| {
                let mut rest = index;
                let mut position: Vec<i64> = dims
                    .iter()
                    .rev()
                    .map(|size| {
                        let at = rest % size;
                        rest /= size;
                        at
                    })
                    .collect();
                position.reverse();
                value(&position)
            })
            .collect();
        Array { dims: dims.to_vec(), values }
    }

    /// The values as a type holds them: integers wrap, every number but 0 is true.
    pub(super) fn held(mut self, dtype: DType) -> Array {
        for value in &mut self.values {
            *value = match dtype {
                DType::Bool => (*value != 0).into(),
                DType::I8 => (*value as i8).into(),
                DType::U8 => (*value as u8).into(),
                DType::I16 => (*value as i16).into(),
                DType::U16 => (*value as u16).into(),
                _ => *value,
            };
        }
        self
    }
}

fn encoded(dtype: DType, value: i64) -> Vec<u8> {
    fn bytes<T: Element>(value: T) -> Vec<u8> {
        T::as_bytes(&[value]).to_vec()
    }
    match dtype {
        DType::F32 => bytes(value as f32),
        DType::F16 => bytes(f16::from_f32(value as f32)),
        DType::BF16 => bytes(bf16::from_f32(value as f32)),
        DType::F64 => bytes(value as f64),
        DType::I8 => bytes(value as i8),
        DType::U8 => bytes(value as u8),
        DType::I16 => bytes(value as i16),
        DType::U16 => bytes(value as u16),
        DType::I32 => bytes(value as i32),
        DType::U32 => bytes(value as u32),
        DType::I64 => bytes(value),
        DType::U64 => bytes(value as u64),
        DType::Bool => bytes(value != 0),
        DType::C64 => bytes(Complex::new(value as f32, 0.0)),
        DType::C128 => bytes(Complex::new(value as f64, 0.0)),
        other => panic!("no small integers in {other}"),
    }
}

/// An output that must hold an array.
pub(super) fn out(dtype: DType, array: &Array) -> Argument {
    Argument::Out { expected: array.elements(dtype), ulps: 0.0 }
}

/// A tensor that holds one array and must hold another.
pub(super) fn in_place(dtype: DType, before: &Array, after: &Array) -> Argument {
    Argument::InOut { before: before.elements(dtype), expected: after.elements(dtype), ulps: 0.0 }
}

/// A scalar of a type.
pub(super) fn scalar(dtype: DType, value: i64) -> Argument {
    Argument::Scalar(dtype, encoded(dtype, value))
}

/// A call that must succeed.
pub(super) fn call(operator: &str, arguments: Vec<Argument>) -> Case {
    Case { operator: operator.to_owned(), product: "Ascend910B".to_owned(), code: 0, arguments }
}
