//! The cases of every declared operator, made of its declaration.
//!
//! A generator serves the families whose calls look alike. It lists the cases of an operator, and makes the arguments of
//! one of them; only what differs by operator, such as attributes and the shape of the result, is written by hand.

mod along;
mod elementwise;
mod index;
mod made;
mod matrix;
mod movement;
mod sorting;

use std::collections::BTreeSet;

use aclnn_numerics::DType;
use aclnn_numerics::product::Product;
use aclnn_numerics::types::TypeSet;

use super::case::{Argument, Class, Id, Layout, Role, Tensor};
use super::draw::{Domain, Draw};
use super::elements::encode;
use crate::declared::{Operator, Signature};

/// Returns the cases of an operator on a product, always in the same order.
pub(crate) fn of(operator: &Operator, product: Product) -> Vec<Id> {
    let cells = match operator.signature {
        Signature::Promote(_) | Signature::Unary(_) | Signature::Parametric(_) => {
            elementwise::cells(operator, product)
        }
        Signature::AlongAxes(_) => along::cells(operator, product),
        Signature::Indexed(_) => index::cells(operator, product),
        Signature::Matrix(_) => matrix::cells(operator, product),
        Signature::Movement(_) => movement::cells(operator, product),
        Signature::Order(_) => sorting::cells(operator, product),
        Signature::Convert(_) | Signature::Fill(_) | Signature::Sequence(_) => made::cells(operator, product),
    };
    let id = |types: &[DType], class, variant: String| Id {
        info: operator.info,
        types: types.to_vec(),
        class,
        variant,
    };
    cells
        .iter()
        .flat_map(|cell| cell.cases.iter().map(|(class, variant)| id(&cell.types, *class, variant.clone())))
        .collect()
}

/// Makes the arguments of a case.
pub(crate) fn arguments(operator: &Operator, id: &Id, product: Product, seed: u64) -> Vec<Argument> {
    let mut call = Call {
        operator,
        types: &id.types,
        class: id.class,
        variant: &id.variant,
        product,
        draw: Draw::new(seed, &id.to_string()),
        arguments: Vec::new(),
    };
    match operator.signature {
        Signature::Promote(_) | Signature::Unary(_) | Signature::Parametric(_) => {
            elementwise::make(&mut call)
        }
        Signature::AlongAxes(_) => along::make(&mut call),
        Signature::Indexed(_) => index::make(&mut call),
        Signature::Matrix(_) => matrix::make(&mut call),
        Signature::Movement(_) => movement::make(&mut call),
        Signature::Order(_) => sorting::make(&mut call),
        Signature::Convert(_) | Signature::Fill(_) | Signature::Sequence(_) => made::make(&mut call),
    }
    call.arguments
}

/// The cases of an operator with the same types.
struct Cell {
    types: Vec<DType>,
    cases: Vec<(Class, String)>,
}

impl Cell {
    /// Cases without variants.
    fn new(types: &[DType], classes: &[Class]) -> Self {
        Self { types: types.to_vec(), cases: classes.iter().map(|class| (*class, String::new())).collect() }
    }

    /// Cases of every class, with every variant.
    fn with_variants(types: &[DType], classes: &[Class], variants: &[&str]) -> Self {
        let cases =
            variants.iter().flat_map(|variant| classes.iter().map(|class| (*class, (*variant).to_owned())));
        Self { types: types.to_vec(), cases: cases.collect() }
    }
}

/// The types that are tried: those of the promotion table, and what the operator takes beside them, but for types of less
/// than a byte.
fn pool(takes: TypeSet) -> Vec<DType> {
    let others = takes.iter().filter(|dtype| !DType::TABLE.contains(dtype) && dtype.bits() % 8 == 0);
    DType::TABLE.into_iter().chain(others).collect()
}

/// Drops what stands in a list for the second time.
fn unique(lists: Vec<Vec<DType>>) -> Vec<Vec<DType>> {
    let mut known = BTreeSet::new();
    lists
        .into_iter()
        .filter(|types| known.insert(types.iter().map(|dtype| *dtype as u32).collect::<Vec<_>>()))
        .collect()
}

/// The classes of an operator whose first operand may have any shape.
const SHAPES: [Class; 7] = [
    Class::Contiguous,
    Class::Broadcast,
    Class::Strided,
    Class::Transposed,
    Class::Empty,
    Class::NoAxes,
    Class::EightAxes,
];

/// Those of a form in place, whose plain case is that of `Contiguous`.
const SHAPES_IN_PLACE: [Class; 6] =
    [Class::InPlace, Class::Strided, Class::Transposed, Class::Empty, Class::NoAxes, Class::EightAxes];

/// The classes of an operator whose operands have shapes of their own.
const LAYOUTS: [Class; 4] = [Class::Contiguous, Class::Broadcast, Class::Strided, Class::Transposed];

/// Those of a form in place.
const LAYOUTS_IN_PLACE: [Class; 3] = [Class::InPlace, Class::Strided, Class::Transposed];

/// Arguments in the making.
struct Call<'a> {
    operator: &'a Operator,
    types: &'a [DType],
    class: Class,
    variant: &'a str,
    product: Product,
    draw: Draw,
    arguments: Vec<Argument>,
}

impl Call<'_> {
    fn name(&self) -> &'static str {
        self.operator.info.name
    }

    fn function(&self) -> &'static str {
        self.operator.info.function
    }

    /// A type of the case by its number; that of the first operand where there are not so many.
    fn dtype(&self, number: usize) -> DType {
        self.types.get(number).or(self.types.first()).copied().unwrap_or(DType::F32)
    }

    /// Whether the form writes its result in the place of an operand.
    fn is_in_place(&self) -> bool {
        is_in_place(self.operator)
    }

    /// The layout of an operand that is read: the first one of a case that broadcasts is a view that repeats an axis.
    fn layout(&self) -> Layout {
        match self.class {
            Class::Broadcast if self.arguments.is_empty() => Layout::Repeated,
            class => class.layout(),
        }
    }

    fn elements(&mut self, dtype: DType, dims: &[i64], layout: Layout, domain: Domain) -> Vec<u8> {
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
    fn tensor(&mut self, dtype: DType, dims: &[i64], domain: Domain) -> Tensor {
        let layout = self.layout();
        let elements = self.elements(dtype, dims, layout, domain);
        Tensor::new(Role::Read, dtype, dims, layout, elements)
    }

    /// Adds an argument.
    fn push(&mut self, argument: Argument) {
        self.arguments.push(argument);
    }

    /// Adds a tensor that is read.
    fn read(&mut self, dtype: DType, dims: &[i64], domain: Domain) {
        let tensor = self.tensor(dtype, dims, domain);
        self.push(Argument::Tensor(tensor));
    }

    /// Adds a tensor of the given integers that is read.
    fn read_numbers(&mut self, dtype: DType, dims: &[i64], numbers: &[i64]) {
        let layout = self.class.layout();
        let elements = numbers.iter().flat_map(|number| encode(dtype, *number as f64)).collect();
        self.push(Argument::Tensor(Tensor::new(Role::Read, dtype, dims, layout, elements)));
    }

    /// Adds a tensor that is only written.
    fn write(&mut self, dtype: DType, dims: &[i64]) {
        let layout = self.class.layout();
        self.push(Argument::Tensor(Tensor::new(Role::Written, dtype, dims, layout, Vec::new())));
    }

    /// Adds a tensor that is read and written.
    fn update(&mut self, dtype: DType, dims: &[i64], domain: Domain) {
        let layout = self.class.layout();
        let elements = self.elements(dtype, dims, layout, domain);
        self.push(Argument::Tensor(Tensor::new(Role::ReadAndWritten, dtype, dims, layout, elements)));
    }

    /// Adds the first operand: read, or read and written by a form in place.
    fn own(&mut self, dtype: DType, dims: &[i64], domain: Domain) {
        if self.is_in_place() { self.update(dtype, dims, domain) } else { self.read(dtype, dims, domain) }
    }

    /// Adds the output of a form that has one.
    fn out(&mut self, dtype: DType, dims: &[i64]) {
        if !self.is_in_place() {
            self.write(dtype, dims);
        }
    }

    /// Adds an output that is large enough for any result.
    fn sized(&mut self, dtype: DType, dims: &[i64]) {
        self.push(Argument::Tensor(Tensor::new(Role::Sized, dtype, dims, Layout::Contiguous, Vec::new())));
    }

    fn scalar(&mut self, dtype: DType, value: f64) {
        self.push(Argument::Scalar(dtype, encode(dtype, value)));
    }

    fn int(&mut self, value: i64) {
        self.push(Argument::Int(value));
    }

    fn ints(&mut self, values: &[i64]) {
        self.push(Argument::Ints(values.to_vec()));
    }

    fn flag(&mut self, value: bool) {
        self.push(Argument::Bool(value));
    }
}

fn is_in_place(operator: &Operator) -> bool {
    use aclnn_sys::operators::ParameterKind::{InOut, InOutConst};
    operator.info.parameters.iter().any(|parameter| matches!(parameter.kind, InOut | InOutConst))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declared;
    use crate::verify::call::Caller;

    #[test]
    fn every_declared_operator_has_cases_of_every_type_that_it_takes() {
        for product in Product::ALL {
            for operator in declared::all() {
                let cases = of(&operator, product);
                let name = operator.info.name;
                assert!(!cases.is_empty(), "{name} has no cases on {product:?}");
                let tried: BTreeSet<&str> =
                    cases.iter().flat_map(|id| &id.types).map(|dtype| dtype.short_name()).collect();
                let takes = operator.signature.takes(product);
                let missed: Vec<DType> = takes
                    .iter()
                    .filter(|dtype| dtype.bits() % 8 == 0 && !tried.contains(dtype.short_name()))
                    .collect();
                assert!(
                    missed.is_empty() || name == "Eye",
                    "{name} on {product:?} has no case of {missed:?}"
                );
            }
        }
        assert_eq!(declared::all().count(), aclnn_sys::operators::all().count());
    }

    #[test]
    fn arguments_are_as_many_as_parameters_and_names_are_unique() {
        let product = Product::Ascend910B;
        let mut names = BTreeSet::new();
        for operator in declared::all() {
            for id in of(&operator, product) {
                assert!(names.insert(id.to_string()), "{id} is there twice");
                if id.types.iter().all(|dtype| *dtype == id.types[0]) {
                    let arguments = arguments(&operator, &id, product, 0);
                    assert_eq!(arguments.len(), operator.info.parameters.len(), "{id}");
                }
            }
        }
    }

    /// Operators of the 950 alone, operators of weights in a layout that has no shape class, and shapes that are refused.
    const REFUSED: [(&str, &str); 17] = [
        ("BitwiseAndTensorOut", ""),
        ("InplaceBitwiseAndTensorOut", ""),
        ("MatmulWeightNz", ""),
        ("AddmmWeightNz", ""),
        ("BatchMatMulWeightNz", ""),
        ("AddV3", ""),
        ("InplaceAddV3", ""),
        ("Square", ""),
        ("StridedSlice", ""),
        ("Bucketize", ""),
        ("Bincount", "0-d"),
        ("RepeatInterleaveWithDim", "0-d"),
        ("RepeatInterleaveIntWithDim", "0-d"),
        ("Prelu", "0-d"),
        ("AminmaxDim", "0-d"),
        ("Cummax", "0-d"),
        ("InplaceFillDiagonal", "rank-8"),
    ];

    /// Cases that are refused compare codes alone, so a generator that makes nothing else would verify nothing.
    #[test]
    fn every_operator_computes_a_case_of_every_class() {
        let caller = Caller::new(0).unwrap();
        let mut refused = BTreeSet::new();
        for operator in declared::all() {
            let name = operator.info.name;
            let cases = of(&operator, Product::Ascend910B);
            for class in Class::ALL {
                let mut of_class = cases.iter().filter(|id| id.class == class).peekable();
                let computes = |id: &Id| {
                    let arguments = arguments(&operator, id, Product::Ascend910B, 0);
                    caller.call(name, &arguments, 0).unwrap().succeeded()
                };
                if of_class.peek().is_some() && !of_class.any(computes) {
                    refused.insert((name, class.name()));
                }
            }
        }
        let is_known = |(name, class): &&(&str, &str)| {
            REFUSED.iter().any(|(known, of)| known == name && (of.is_empty() || of == class))
        };
        let unknown: Vec<_> = refused.iter().filter(|pair| !is_known(pair)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        for (name, class) in REFUSED {
            let is_refused =
                refused.iter().any(|(other, of)| *other == name && (class.is_empty() || *of == class));
            assert!(is_refused, "{name} computes {class}");
        }
    }
}
