//! Parts of the generators: lists of cases, and the arguments of a case that is being built.

use std::collections::BTreeSet;

use aclnn_numerics::DType;
use aclnn_numerics::product::Product;
use aclnn_numerics::types_by_product::TypeSet;
use aclnn_sys::operators::Parameter;

use crate::declared::Operator;
use crate::verify::case::{Argument, Class, Layout, Role, Tensor};
use crate::verify::draw::{Domain, Draw};
use crate::verify::elements::encode;

/// The cases of an operator with the same types.
pub(super) struct Cell {
    pub(super) types: Vec<DType>,
    pub(super) cases: Vec<(Class, String)>,
}

impl Cell {
    /// Cases without variants.
    pub(super) fn new(types: &[DType], classes: &[Class]) -> Self {
        Self { types: types.to_vec(), cases: classes.iter().map(|class| (*class, String::new())).collect() }
    }

    /// Cases of every class, with every variant.
    pub(super) fn with_variants(types: &[DType], classes: &[Class], variants: &[&str]) -> Self {
        let cases =
            variants.iter().flat_map(|variant| classes.iter().map(|class| (*class, (*variant).to_owned())));
        Self { types: types.to_vec(), cases: cases.collect() }
    }
}

/// The types that are tried: those of the promotion table, and what the operator takes beside them, but for types of less
/// than a byte.
pub(super) fn pool(takes: TypeSet) -> Vec<DType> {
    let others = takes.iter().filter(|dtype| !DType::TABLE.contains(dtype) && dtype.bits() % 8 == 0);
    DType::TABLE.into_iter().chain(others).collect()
}

/// Drops what stands in a list for the second time.
pub(super) fn unique(lists: Vec<Vec<DType>>) -> Vec<Vec<DType>> {
    let mut known = BTreeSet::new();
    lists
        .into_iter()
        .filter(|types| known.insert(types.iter().map(|dtype| *dtype as u32).collect::<Vec<_>>()))
        .collect()
}

/// The classes of an operator whose first operand may have any shape.
pub(super) const SHAPES: [Class; 7] = [
    Class::Contiguous,
    Class::Broadcast,
    Class::Strided,
    Class::Transposed,
    Class::Empty,
    Class::NoAxes,
    Class::EightAxes,
];

/// Those of a form in place, whose plain case is that of `Contiguous`.
pub(super) const SHAPES_IN_PLACE: [Class; 6] =
    [Class::InPlace, Class::Strided, Class::Transposed, Class::Empty, Class::NoAxes, Class::EightAxes];

/// The classes of an operator whose operands have shapes of their own.
pub(super) const LAYOUTS: [Class; 4] =
    [Class::Contiguous, Class::Broadcast, Class::Strided, Class::Transposed];

/// Those of a form in place.
pub(super) const LAYOUTS_IN_PLACE: [Class; 3] = [Class::InPlace, Class::Strided, Class::Transposed];

/// Arguments in the making.
pub(super) struct Call<'a> {
    pub(super) operator: &'a Operator,
    pub(super) types: &'a [DType],
    pub(super) class: Class,
    pub(super) variant: &'a str,
    pub(super) product: Product,
    pub(super) draw: Draw,
    pub(super) arguments: Vec<Argument>,
}

impl Call<'_> {
    pub(super) fn name(&self) -> &'static str {
        self.operator.info.name()
    }

    pub(super) fn function(&self) -> &'static str {
        self.operator.info.function()
    }

    /// A type of the case by its number; that of the first operand where there are not so many.
    pub(super) fn dtype(&self, number: usize) -> DType {
        self.types.get(number).or(self.types.first()).copied().unwrap_or(DType::F32)
    }

    /// Returns whether the form writes its result in the place of an operand.
    pub(super) fn is_in_place(&self) -> bool {
        is_in_place(self.operator)
    }

    /// The layout of an operand that is read: the first one of a case that broadcasts is a view that repeats an axis.
    pub(super) fn layout(&self) -> Layout {
        match self.class {
            Class::Broadcast if self.arguments.is_empty() => Layout::Repeated,
            class => class.layout(),
        }
    }

    pub(super) fn elements(&mut self, dtype: DType, dims: &[i64], layout: Layout, domain: Domain) -> Vec<u8> {
        let count = dims.iter().product::<i64>() as usize;
        let repeated = dims.iter().position(|size| *size > 1).filter(|_| layout == Layout::Repeated);
        match repeated {
            None => self.draw.elements(dtype, count, domain),
            Some(axis) => {
                let few = self.draw.elements(dtype, count / dims[axis] as usize, domain);
                // Axes before it have one element.
                few.repeat(dims[axis] as usize)
            }
        }
    }

    /// A tensor that is read.
    pub(super) fn tensor(&mut self, dtype: DType, dims: &[i64], domain: Domain) -> Tensor {
        let layout = self.layout();
        let elements = self.elements(dtype, dims, layout, domain);
        Tensor::new(Role::Read, dtype, dims, layout, elements)
    }

    /// Makes no arguments: nothing here knows the operator. A test counts them, so that a new one is noticed, and not verified
    /// with the arguments of another.
    pub(super) fn unserved(&mut self) {
        self.arguments.clear();
    }

    /// Adds null for a parameter that may be; nothing for another, of which nothing here knows what it is.
    pub(super) fn absent(&mut self, parameter: &Parameter) {
        let name = parameter.kind.name();
        if name.ends_with("_or_null") {
            self.push(Argument::Null);
        }
    }

    /// Adds an argument.
    pub(super) fn push(&mut self, argument: Argument) {
        self.arguments.push(argument);
    }

    /// Adds a tensor that is read.
    pub(super) fn read(&mut self, dtype: DType, dims: &[i64], domain: Domain) {
        let tensor = self.tensor(dtype, dims, domain);
        self.push(Argument::Tensor(tensor));
    }

    /// Adds a tensor of the given integers that is read.
    pub(super) fn read_numbers(&mut self, dtype: DType, dims: &[i64], numbers: &[i64]) {
        let layout = self.class.layout();
        let elements = numbers.iter().flat_map(|number| encode(dtype, *number as f64)).collect();
        self.push(Argument::Tensor(Tensor::new(Role::Read, dtype, dims, layout, elements)));
    }

    /// Adds a tensor that is only written.
    pub(super) fn write(&mut self, dtype: DType, dims: &[i64]) {
        let layout = self.class.layout();
        self.push(Argument::Tensor(Tensor::new(Role::Written, dtype, dims, layout, Vec::new())));
    }

    /// Adds a tensor that is read and written.
    pub(super) fn update(&mut self, dtype: DType, dims: &[i64], domain: Domain) {
        let layout = self.class.layout();
        let elements = self.elements(dtype, dims, layout, domain);
        self.push(Argument::Tensor(Tensor::new(Role::ReadAndWritten, dtype, dims, layout, elements)));
    }

    /// Adds the first operand: read, or read and written by a form in place.
    pub(super) fn own(&mut self, dtype: DType, dims: &[i64], domain: Domain) {
        if self.is_in_place() { self.update(dtype, dims, domain) } else { self.read(dtype, dims, domain) }
    }

    /// Adds the output of a form that has one.
    pub(super) fn out(&mut self, dtype: DType, dims: &[i64]) {
        if !self.is_in_place() {
            self.write(dtype, dims);
        }
    }

    /// Adds an output that is large enough for any result.
    pub(super) fn sized(&mut self, dtype: DType, dims: &[i64]) {
        self.push(Argument::Tensor(Tensor::new(Role::Sized, dtype, dims, Layout::Contiguous, Vec::new())));
    }

    pub(super) fn scalar(&mut self, dtype: DType, value: f64) {
        self.push(Argument::Scalar(dtype, encode(dtype, value)));
    }

    pub(super) fn int(&mut self, value: i64) {
        self.push(Argument::Int(value));
    }

    pub(super) fn ints(&mut self, values: &[i64]) {
        self.push(Argument::Ints(values.to_vec()));
    }

    pub(super) fn flag(&mut self, value: bool) {
        self.push(Argument::Bool(value));
    }
}

pub(super) fn is_in_place(operator: &Operator) -> bool {
    use aclnn_sys::operators::ParameterKind::{InOut, InOutConst};
    operator.info.parameters.iter().any(|parameter| matches!(parameter.kind, InOut | InOutConst))
}
