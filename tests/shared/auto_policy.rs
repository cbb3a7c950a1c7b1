//! `Policy::Auto` over every pair of types, edition, operator and alpha, on each product: where it delegates, the bits are
//! those of `Policy::Insert`; where it does not, the tables that were printed say why.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::HashMap;
use std::sync::LazyLock;

use aclnn::plan::{Choice, Reason, Role, Step};
use aclnn::product::Product;
use aclnn::promote::Edition;
use aclnn::{
    Backend, BackendKind, Complex, DType, Device, Error, Plan, Policy, Scalar, Tensor, bf16, f16, ops,
};
use cann_stubs::control;

use crate::support;

/// The products that differ in what they take or compute.
const PRODUCTS: [[(&str, &str); 1]; 3] = [
    [("CANN_STUBS_SOC", "Ascend910A")],
    [("CANN_STUBS_SOC", "Ascend910B1")],
    [("CANN_STUBS_SOC", "Ascend950PR")],
];

/// The table of a file made from the documentation or the library: the row is the first operand, or the scalar.
type Printed = LazyLock<HashMap<(DType, DType), Option<DType>>>;

fn read(csv: &str) -> HashMap<(DType, DType), Option<DType>> {
    let mut lines = csv.lines().map(|line| line.split(',').map(|name| name.parse().ok()));
    let columns: Vec<Option<DType>> = lines.next().unwrap().skip(1).collect();
    let rows = lines.flat_map(|mut line| {
        let row = line.next().unwrap().unwrap();
        let cells = columns.iter().zip(line);
        cells.map(move |(column, cell)| ((row, column.unwrap()), cell)).collect::<Vec<_>>()
    });
    rows.collect()
}

fn printed(table: &Printed, row: DType, column: DType) -> Option<DType> {
    table[&(row, column)]
}

static PUBLISHED: Printed =
    LazyLock::new(|| read(include_str!("../../numerics/tests/data/promotion_published.csv")));
static REVISED: Printed =
    LazyLock::new(|| read(include_str!("../../numerics/tests/data/promotion_revised.csv")));
static LIBRARY: Printed =
    LazyLock::new(|| read(include_str!("../../numerics/tests/data/promotion_library.csv")));
static SCALAR: Printed =
    LazyLock::new(|| read(include_str!("../../numerics/tests/data/promotion_revised_scalar.csv")));

/// Values at the edges of every type, and others that are rounded, drawn at random.
fn values() -> Vec<f64> {
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        127.0,
        -128.0,
        255.0,
        257.0,
        2049.0,
        -32768.0,
        65519.0,
        65520.0,
        16777217.0,
        16842753.0,
        2147483647.0,
        -2147483648.0,
        9.2e18,
        6e-8,
        1e-40,
        1e39,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let mut state = 7u64;
    let random = (0..24).map(move |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let digits = (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
        digits * 2f64.powi((state >> 5) as i32 % 40 - 8)
    });
    edges.into_iter().chain(random).collect()
}

/// A tensor of the type with every n-th of those values.
fn tensor(device: &Device, dtype: DType, nth: usize) -> Result<Tensor, Error> {
    let values: Vec<_> = values().into_iter().step_by(nth).collect();
    let len = values.len();
    macro_rules! of {
        ($element:expr) => {
            Tensor::from_slice(device, &values.iter().map($element).collect::<Vec<_>>(), len)
        };
    }
    match dtype {
        DType::F32 => of!(|&v| v as f32),
        DType::F16 => of!(|&v| f16::from_f64(v)),
        DType::F64 => of!(|&v| v),
        DType::BF16 => of!(|&v| bf16::from_f64(v)),
        // The casts of Rust saturate; the random bits below fill the wide integers.
        DType::I8 => of!(|&v| v as i8),
        DType::U8 => of!(|&v| v as u8),
        DType::I16 => of!(|&v| v as i16),
        DType::U16 => of!(|&v| v as u16),
        DType::I32 => of!(|&v| (v as i32).wrapping_add((v.to_bits() >> 7) as i32)),
        DType::U32 => of!(|&v| v as u32),
        DType::I64 => of!(|&v| (v as i64).wrapping_add(v.to_bits().cast_signed() >> 3)),
        DType::U64 => of!(|&v| v as u64),
        DType::Bool => of!(|&v| v > 0.0),
        DType::C32 => of!(|&v| Complex::new(f16::from_f64(v), f16::ONE)),
        DType::C64 => of!(|&v| Complex::new(v as f32, -v as f32)),
        DType::C128 => of!(|&v| Complex::new(v, 0.5 - v)),
        other => unreachable!("{other} is in no table"),
    }
}

/// A scalar of the type that is not exact in shorter ones.
fn scalar(dtype: DType) -> Scalar {
    match dtype {
        DType::F32 => 0.1f32.into(),
        DType::F16 => f16::from_f64(0.1).into(),
        DType::F64 => 0.1f64.into(),
        DType::BF16 => bf16::from_f64(0.1).into(),
        DType::I8 => (-3i8).into(),
        DType::U8 => 253u8.into(),
        DType::I16 => (-257i16).into(),
        DType::U16 => 65535u16.into(),
        DType::I32 => 16_777_217i32.into(),
        DType::U32 => u32::MAX.into(),
        DType::I64 => ((1i64 << 53) + 1).into(),
        DType::U64 => u64::MAX.into(),
        DType::Bool => true.into(),
        DType::C32 => Complex::new(f16::ONE, f16::NEG_ONE).into(),
        DType::C64 => Complex::new(0.1f32, -3.0).into(),
        DType::C128 => Complex::new(0.1f64, -3.0).into(),
        other => unreachable!("{other} is in no table"),
    }
}

/// What the plan must be, by CANN's description: whether the library's own steps are those of casts and one operator. The
/// second type is the one that is sent.
fn expected(
    product: Product,
    operator: &str,
    [own, other, promoted]: [DType; 3],
    is_scalar: bool,
    has_alpha: bool,
) -> Choice {
    use DType::*;
    if own == promoted && (is_scalar || other == promoted) {
        return Choice::NothingToCast;
    }
    let takes = |dtype| match dtype {
        Bool => operator != "rsub",
        BF16 => matches!(product, Product::Ascend910B | Product::Ascend950),
        dtype => !matches!(dtype, U16 | U32 | U64 | C32),
    };
    let name = match (operator, is_scalar) {
        ("add", false) => "Add",
        ("add", true) => "Adds",
        ("sub", false) => "Sub",
        ("sub", true) => "Subs",
        ("rsub", false) => "Rsub",
        ("rsub", true) => "Rsubs",
        ("mul", false) => "Mul",
        ("mul", true) => "Muls",
        (_, false) => "Div",
        (_, true) => "Divs",
    };
    for dtype in [own, if is_scalar { own } else { other }] {
        if !takes(dtype) {
            return Choice::Inserted(Reason::NotTaken { operator: name, dtype });
        }
    }
    let is_950 = product == Product::Ascend950;
    let sent = if is_scalar { promoted } else { other };
    let library = match own {
        C64 if is_scalar && is_950 && operator != "div" => Some(C64),
        _ => printed(&LIBRARY, own, sent),
    };
    if library != Some(promoted) {
        return Choice::Inserted(Reason::OtherType(library));
    }
    let wide = |dtype| matches!(dtype, I16 | I32 | I64);
    let open = match operator {
        "div" if is_950 => is_scalar && promoted == F32,
        _ if is_950 => false,
        "div" => matches!(promoted, I32 | I64) && (own == I32 || sent == I32),
        "sub" => has_alpha && matches!(promoted, F16 | BF16) && (wide(own) || wide(sent)),
        "rsub" => is_scalar && promoted.is_complex(),
        "mul" => is_scalar && promoted.is_complex() && own == BF16,
        _ => false,
    };
    if open { Choice::Inserted(Reason::OtherSteps("")) } else { Choice::Delegated }
}

/// What was chosen, without the words of its reason.
fn kind(choice: Choice) -> Choice {
    match choice {
        Choice::Inserted(Reason::OtherSteps(which)) => {
            assert!(which.len() > 20, "{which}");
            Choice::Inserted(Reason::OtherSteps(""))
        }
        choice => choice,
    }
}

fn casts_of_operands(plan: &Plan) -> usize {
    let casts = |step: &&Step| matches!(step, Step::Cast { operand: Role::Own | Role::Other, .. });
    plan.steps().iter().filter(casts).count()
}

/// An operation by a policy.
type Run<'a> = &'a dyn Fn(Policy) -> Result<Tensor, Error>;

/// Plans an operation by both policies, and runs it where the library casts if `run` is given. Returns what was chosen;
/// `None` if both refuse.
fn compare(what: &str, plan: impl Fn(Policy) -> Result<Plan, Error>, run: Option<Run<'_>>) -> Option<Choice> {
    let (auto, insert) = match (plan(Policy::Auto), plan(Policy::Insert)) {
        (Ok(auto), Ok(insert)) => (auto, insert),
        (Err(auto), Err(insert)) => {
            assert_eq!(auto.to_string(), insert.to_string(), "{what}");
            return None;
        }
        (auto, insert) => unreachable!("{what}: {auto:?} by Auto, {insert:?} by Insert"),
    };
    assert_eq!(insert.choice(), None, "{what}");
    let choice = auto.choice().unwrap();
    let types = |plan: &Plan| (plan.compute_dtype(), plan.dtype(), plan.shape().clone());
    assert_eq!(types(&auto), types(&insert), "{what}");
    assert!(auto.to_string().ends_with(&format!(" (auto: {choice})")), "{what}: {auto}");
    let (casts, saved) = (casts_of_operands(&insert), insert.steps().len() - auto.steps().len());
    match choice {
        Choice::Delegated => assert!(casts > 0 && saved == casts, "{what}: {auto}, {insert}"),
        Choice::NothingToCast => assert!(casts == 0 && saved == 0, "{what}: {auto}, {insert}"),
        _ => assert!(casts > 0 && auto.steps() == insert.steps(), "{what}: {auto}, {insert}"),
    }
    if let (Choice::Delegated, Some(run)) = (choice, run) {
        let run = |policy, plan: &Plan| {
            let mut result = None;
            let records = control::record(|| result = Some(run(policy)));
            // Drop-in libraries keep their records to themselves.
            let embedded = Backend::get().unwrap().kind() == BackendKind::Emulator;
            assert!(!embedded || records.len() == plan.steps().len(), "{what}: {plan}, {records:?}");
            let result = result.unwrap().unwrap();
            (result.dtype(), result.to_bytes().unwrap())
        };
        let (result, reference) = (run(Policy::Auto, &auto), run(Policy::Insert, &insert));
        assert!(result == reference, "{what}: {auto} and {insert} differ");
    }
    Some(choice)
}

#[test]
fn the_library_casts_only_where_the_bits_are_those_of_inserted_casts()
-> Result<(), Box<dyn std::error::Error>> {
    let test = "the_library_casts_only_where_the_bits_are_those_of_inserted_casts";
    if !support::is_emulated()? || !support::is_alone(module_path!(), test, &PRODUCTS)? {
        return Ok(());
    }
    let device = Device::open(0)?;
    let product = device.product().unwrap();
    let alphas: [Option<Scalar>; 3] = [None, Some(3.into()), Some(0.3f32.into())];
    let operand =
        |&dtype: &DType| Ok((dtype, tensor(&device, dtype, 1)?, tensor(&device, dtype, 3)?, scalar(dtype)));
    let operands: Vec<_> = DType::TABLE.iter().map(operand).collect::<Result<_, Error>>()?;
    let len = values().len();
    let (mut delegated, mut inserted) = (0, 0);
    for (a, own, ..) in &operands {
        let column = &own.reshape([len, 1])?;
        for (b, _, row, scalar) in &operands {
            // The contradictory cell of the older page is resolved as every other source has it.
            let resolved = |cell| if (*a, *b) == (DType::BF16, DType::F16) { Some(DType::F32) } else { cell };
            let published = resolved(printed(&PUBLISHED, *a, *b));
            macro_rules! check {
                ($name:literal, $operation:expr, $edition:ident, $promoted:expr, $is_scalar:expr, $alpha:expr) => {
                    let what = format!("{} of {a} and {b} on {product:?}, {}", $name, stringify!($edition));
                    let alpha: Option<Scalar> = $alpha;
                    let what = format!("{what}, scalar {}, alpha {alpha:?}", $is_scalar);
                    let of = |policy| $operation.policy(policy).edition(Edition::$edition);
                    // The same launches need not run again for another edition.
                    let run = |policy| of(policy).run();
                    let repeated = Edition::$edition != Edition::Published && $promoted == published;
                    let run: Run<'_> = &run;
                    let choice = compare(&what, |policy| of(policy).plan(), (!repeated).then_some(run));
                    // Another type for the result changes nothing in what becomes of the operands.
                    for out in [DType::F16, DType::I32] {
                        let of = |policy| of(policy).dtype(out);
                        let run = |policy| of(policy).run();
                        let run: Run<'_> = &run;
                        let runs = alpha.is_none() && !repeated;
                        let with = compare(&what, |policy| of(policy).plan(), runs.then_some(run));
                        assert!(with.is_none() || with == choice, "{what}, to {out}: {with:?}");
                    }
                    if let Some(choice) = choice {
                        let types = [*a, *b, $promoted.unwrap()];
                        let by_facts = expected(product, $name, types, $is_scalar, alpha.is_some());
                        assert_eq!(kind(choice), by_facts, "{what}");
                        delegated += usize::from(choice == Choice::Delegated);
                        inserted += usize::from(matches!(choice, Choice::Inserted(_)));
                    }
                };
            }
            macro_rules! operators {
                ($left:expr, $other:expr, $edition:ident, $promoted:expr, $is_scalar:expr) => {
                    let (left, promoted): (_, Option<DType>) = ($left, $promoted);
                    for alpha in alphas {
                        let alpha_or_1 = alpha.unwrap_or(1.into());
                        macro_rules! scaled {
                            ($function:ident, $name:literal) => {
                                let operation = || match alpha {
                                    Some(_) => ops::$function(left, $other).alpha(alpha_or_1),
                                    None => ops::$function(left, $other),
                                };
                                check!($name, operation(), $edition, promoted, $is_scalar, alpha);
                            };
                        }
                        scaled!(add, "add");
                        scaled!(sub, "sub");
                        scaled!(rsub, "rsub");
                    }
                    check!("mul", ops::mul(left, $other), $edition, promoted, $is_scalar, None);
                    check!("div", ops::div(left, $other), $edition, promoted, $is_scalar, None);
                };
            }
            operators!(column, row, Published, published, false);
            operators!(column, row, Revised, printed(&REVISED, *a, *b), false);
            operators!(column, row, Library, printed(&LIBRARY, *a, *b), false);
            // The edition does not matter beside a scalar.
            operators!(own, *scalar, Published, printed(&SCALAR, *b, *a), true);
            // A scalar that is divided becomes a tensor first, of f32 beside f16 and bf16.
            let promoted = printed(&SCALAR, *b, *a).map(|promoted| match promoted {
                DType::F16 | DType::BF16 => DType::F32,
                promoted => promoted,
            });
            let what = format!("a scalar of {b} by {a} on {product:?}");
            let divided = |policy| ops::rdiv(own, *scalar).policy(policy);
            let run = |policy| divided(policy).run();
            if let Some(choice) = compare(&what, |policy| divided(policy).plan(), Some(&run)) {
                let promoted = promoted.unwrap();
                let by_facts = expected(product, "div", [*a, promoted, promoted], false, false);
                assert_eq!(kind(choice), by_facts, "{what}");
            }
        }
    }
    assert!(delegated > 2500 && inserted > 200, "{delegated} {inserted}");
    Ok(())
}

/// The launches that the emulator has recorded, and their results, in place and with a type for the result.
#[test]
fn delegated_casts_are_not_launched() -> Result<(), Error> {
    if !support::is_embedded()? {
        return Ok(());
    }
    let device = Device::open(0)?;
    let (half, single) = (tensor(&device, DType::F16, 1)?, tensor(&device, DType::F32, 1)?);
    let flags = tensor(&device, DType::Bool, 1)?.reshape([24, 2])?.select(1, 1)?;
    let whole = tensor(&device, DType::I32, 2)?;
    let run = |policy, of: Run<'_>| {
        let mut result = None;
        let records = control::record(|| result = Some(of(policy)));
        let names: Vec<_> = records.iter().map(|record| record.function).collect();
        (names, result.unwrap().unwrap().to_bytes().unwrap())
    };
    let cases: [(Run<'_>, &[&str], &[&str]); 6] = [
        (&|policy| ops::add(&half, &single).policy(policy).run(), &["aclnnCast", "aclnnAdd"], &["aclnnAdd"]),
        // A view that Cast does not take.
        (
            &|policy| ops::add(&flags, &whole).policy(policy).run(),
            &["aclnnInplaceCopy", "aclnnAdd"],
            &["aclnnAdd"],
        ),
        (
            &|policy| ops::mul(&half, &single).dtype(DType::I32).policy(policy).run(),
            &["aclnnCast", "aclnnMul", "aclnnCast"],
            &["aclnnMul", "aclnnCast"],
        ),
        (
            &|policy| ops::rdiv(&half, 0.1).policy(policy).run(),
            &["aclnnCast", "aclnnInplaceFillScalar", "aclnnDiv"],
            &["aclnnInplaceFillScalar", "aclnnDiv"],
        ),
        (
            &|policy| {
                let mut own = half.copy()?;
                ops::sub_in_place(&mut own, &single).policy(policy).run()?;
                Ok(own)
            },
            &["aclnnInplaceCopy", "aclnnCast", "aclnnSub"],
            &["aclnnInplaceCopy", "aclnnInplaceSub"],
        ),
        (
            &|policy| {
                let mut own = single.copy()?;
                ops::add(&half, &own.clone()).policy(policy).run_into(&mut own)?;
                Ok(own)
            },
            &["aclnnInplaceCopy", "aclnnCast", "aclnnAdd"],
            &["aclnnInplaceCopy", "aclnnAdd"],
        ),
    ];
    for (of, inserted, delegated) in cases {
        let (names, expected) = run(Policy::Insert, of);
        assert_eq!(names, inserted);
        let (names, result) = run(Policy::Auto, of);
        assert_eq!(names, delegated);
        assert_eq!(result, expected, "{delegated:?}");
    }
    Ok(())
}

#[test]
fn the_plan_says_what_was_chosen_and_why() -> Result<(), Error> {
    let device = Device::open(0)?;
    let of = |dtype| tensor(&device, dtype, 1);
    let (half, int, flags) = (of(DType::F16)?, of(DType::I32)?, of(DType::Bool)?);
    let (double, complex) = (of(DType::F64)?, of(DType::C64)?);
    let check = |operation: ops::Binary<'_, true>, expected: &str| -> Result<(), Error> {
        assert_eq!(operation.policy(Policy::Auto).plan()?.to_string(), expected);
        Ok(())
    };
    check(ops::add(&int, &half), "add: Add i32, f16 → f16 [48] (auto: delegated, the library casts alike)")?;
    check(ops::add(&int, 0.5), "add: Adds i32 → f32 [48] (auto: delegated, the library casts alike)")?;
    check(ops::add(&half, 0.5), "add: Adds f16 → f16 [48] (auto: nothing to cast)")?;
    check(
        ops::add(&double, &complex),
        "add: Cast self f64→c64; Add c64 → c64 [48] (auto: inserted, the library promotes to c128)",
    )?;
    check(
        ops::rsub(&flags, &int),
        "rsub: Cast self bool→i32; Rsub i32 → i32 [48] (auto: inserted, Rsub takes no bool)",
    )?;
    let debug = format!("{:?}", ops::add(&int, &half).policy(Policy::Auto));
    assert!(debug.contains("Auto"), "{debug}");
    assert_eq!(Policy::default(), Policy::Insert);
    Ok(())
}
