//! Images in another size, and the gradients of that.

use aclnn_numerics::DType::{self, F16, F32, F64};
use aclnn_numerics::product::Product::{Ascend910B, Ascend950};
use aclnn_numerics::types_by_product::Types;
use aclnn_sys::*;
use cann_kernels::LaneFunction;
use cann_kernels::images::resample::{Axis, Mode, Resampling};

use super::axes::{invalid, temporaries};
use super::call::{Call, Operand, Plan};
use super::images::{Images, PUBLIC, has_format, have_one_format, lane, numbers, of_three};
use super::phases::entry_points;
use super::plan_builder::PlanBuilder;
use super::{check, signatures};
use crate::settings;
use crate::status::{Result, Status};

/// How an operator sees its operands.
struct Rule {
    mode: Mode,
    takes: Types,
    /// How many axes an image has.
    axes: usize,
    /// The storage formats, which are equal.
    formats: &'static [aclFormat],
}

/// The formats of images with rows and columns, where ND is refused.
const IMAGES: &[aclFormat] = &[ACL_FORMAT_NCHW, ACL_FORMAT_NHWC];

/// The formats of images with rows and columns.
const IMAGES_OR_ND: &[aclFormat] = &[ACL_FORMAT_NCHW, ACL_FORMAT_NHWC, ACL_FORMAT_ND];

/// The scales that a call gives, one for each axis; 0 for those that it does not have.
fn scales(call: &Call<'_>, axes: usize) -> Result<Vec<f64>> {
    let names: &[&[&str]] = &[&["scaleL", "scales", "scale", "scalesW"], &["scalesH"], &["scalesD"]];
    let mut scales = Vec::new();
    for names in names.iter().take(axes) {
        scales.push(match names.iter().find(|name| call.has(name)) {
            Some(name) => call.float(name)?,
            None => 0.0,
        });
    }
    scales.reverse();
    Ok(scales)
}

impl Rule {
    /// The type of both operands.
    fn dtype(&self, from: &Operand, to: &Operand) -> Result<DType> {
        let (dtype, out) = (check::dtype(from, self.takes)?, check::dtype(to, self.takes)?);
        match dtype == out {
            true => Ok(dtype),
            false => invalid(format_args!(
                "{} is {dtype} and {} {out}, but both must have one type",
                from.name, to.name
            )),
        }
    }

    /// Both operands as images; the larger ones may be the first or the second.
    fn images<'a>(&self, from: &'a Operand, to: &'a Operand) -> Result<[Images<'a>; 2]> {
        has_format(from, self.formats)?;
        have_one_format(from, to)?;
        let both = [Images::of(from, self.axes)?, Images::of(to, self.axes)?];
        for images in &both {
            if images.operand.rank() != self.axes + 2 {
                let (name, rank) = (images.operand.name, images.operand.rank());
                return invalid(format_args!("{name} has {rank} axes, but must have {}", self.axes + 2));
            }
        }
        if both[0].leading() != both[1].leading() {
            return invalid(format_args!(
                "{} has batches and channels {:?}, but {} has {:?}",
                from.name,
                both[0].leading(),
                to.name,
                both[1].leading()
            ));
        }
        Ok(both)
    }

    /// How images of some sizes become those of others.
    fn resampling(
        &self,
        call: &Call<'_>,
        dtype: DType,
        image: &[usize],
        result: &[usize],
    ) -> Result<Resampling> {
        let given = scales(call, self.axes)?;
        let aligned = call.has("alignCorners") && call.flag("alignCorners")?;
        let axes: Vec<Axis> = image
            .iter()
            .zip(result)
            .zip(given)
            .map(|((image, result), scale)| self.mode.axis(*image, *result, scale, aligned, dtype == F64))
            .collect();
        Ok(Resampling::new(of_three(axes, &Axis::none())))
    }
}

/// An attribute says the sizes of images.
fn says(call: &Call<'_>, name: &str, images: &Images<'_>) -> Result {
    let sizes = call.ints(name)?;
    numbers(name, sizes, &[images.sizes().len()], 1)?;
    match images.sizes().iter().zip(sizes.iter()).all(|(size, said)| *size as i64 == *said) {
        true => Ok(()),
        false => invalid(format_args!(
            "{} has shape {}, but {name} is {sizes:?}",
            images.operand.name,
            images.operand.shape()?
        )),
    }
}

/// A plan with a lane for each image.
fn plan(
    [from, to]: [&Images<'_>; 2],
    dtype: DType,
    resampling: Resampling,
    is_gradient: bool,
) -> Result<Plan> {
    let seen = if dtype == F64 { F64 } else { F32 };
    let len = |images: &Images<'_>| images.sizes().iter().product();
    let mut builder = PlanBuilder::new();
    let input = builder.read(from.operand, from.view(dtype)?, dtype == seen);
    let output = builder.write(to.operand, dtype, to.view(dtype)?, dtype == seen)?;
    let function = LaneFunction::new("resample", move |_, inputs, outputs| {
        let ([from], [to]) = (inputs, outputs) else { return Ok(()) };
        match is_gradient {
            true => resampling.gradient(seen == F64, from, to),
            false => resampling.resample(seen == F64, from, to),
        }
    });
    let (read, written) = (lane(len(from), &[dtype, seen], seen)?, lane(len(to), &[seen, dtype], seen)?);
    builder.lanes([(input, read)], [(output, written)], from.planes(), function);
    Ok(builder.plan(temporaries(&[(from.operand, dtype, seen), (to.operand, dtype, seen)])))
}

fn forward(call: &Call<'_>, rule: &Rule) -> Result<Plan> {
    let own = ["self", "input", "x"].into_iter().find(|name| call.has(name)).unwrap_or("self");
    let (own, out) = (call.tensor(own)?, call.tensor("out")?);
    call.ints("outputSize")?;
    let dtype = rule.dtype(&own, &out)?;
    let [images, results] = rule.images(&own, &out)?;
    says(call, "outputSize", &results)?;
    match rule.mode {
        Mode::NearestExact => images.must_have_sizes()?,
        _ => images.must_have_elements()?,
    }
    if out.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let resampling = rule.resampling(call, dtype, images.sizes(), results.sizes())?;
    plan([&images, &results], dtype, resampling, false)
}

fn backward(call: &Call<'_>, rule: &Rule) -> Result<Plan> {
    let gradient = call.tensor(if call.has("gradOut") { "gradOut" } else { "gradOutput" })?;
    let out = call.output()?;
    let (_, input_size) = (call.ints("outputSize")?, call.ints("inputSize")?);
    let dtype = rule.dtype(&gradient, &out)?;
    let [gradients, images] = rule.images(&gradient, &out)?;
    says(call, "outputSize", &gradients)?;
    numbers("inputSize", input_size, &[rule.axes + 2], 0)?;
    // The attribute has batches, channels and sizes in the order of the axes.
    if !out.shape()?.iter().zip(input_size.iter()).all(|(size, said)| *size as i64 == *said) {
        return invalid(format_args!(
            "{} has shape {}, but inputSize is {input_size:?}",
            out.name,
            out.shape()?
        ));
    }
    images.must_have_elements()?;
    if out.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let resampling = rule.resampling(call, dtype, images.sizes(), gradients.sizes())?;
    plan([&gradients, &images], dtype, resampling, true)
}

fn upsample_bilinear2d(call: &Call<'_>) -> Result<Plan> {
    // The library answers null with other codes here.
    let internal = |status: Status| status.with_code(ACLNN_ERR_INNER_NULLPTR);
    let (own, out) = (call.tensor("self").map_err(internal)?, call.tensor("out").map_err(internal)?);
    let sizes = call.ints("outputSize").map_err(|status| status.with_code(ACLNN_ERR_PARAM_INVALID))?;
    if sizes.len() != 2 {
        return invalid(format_args!("outputSize is {sizes:?}, but must have two numbers"));
    }
    let rule =
        Rule { mode: Mode::Linear, takes: signatures::upsample_bilinear2d.takes, axes: 2, formats: IMAGES };
    let dtype = rule.dtype(&own, &out)?;
    let [images, results] = rule.images(&own, &out)?;
    if dtype == F64 && own.format() != ACL_FORMAT_NHWC {
        return invalid("f64 is taken in the storage format NHWC alone");
    }
    let given = scales(call, 2)?;
    if given.iter().any(|scale| *scale < 0.0) {
        return invalid(format_args!("the scales are {given:?}, but must not be negative"));
    }
    if own.shape()?.is_empty_tensor() || out.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    says(call, "outputSize", &results)?;
    let aligned = call.flag("alignCorners")?;
    let (image, result) = (images.sizes(), results.sizes());
    let counts = match settings::get().product {
        Ascend950 => true,
        Ascend910B => scales_count(&given, image, result, dtype),
        _ => false,
    };
    let axes: Vec<Axis> = image
        .iter()
        .zip(result)
        .zip(&given)
        .map(|((image, result), scale)| {
            Mode::Linear.axis(*image, *result, if counts { *scale } else { 0.0 }, aligned, dtype == F64)
        })
        .collect();
    plan([&images, &results], dtype, Resampling::new(of_three(axes, &Axis::none())), false)
}

/// Images times scales, each size rounded down, as PyTorch's `interpolate` has it: `nearest` and `bilinear`, whose corners do not meet.
fn resize(call: &Call<'_>) -> Result<Plan> {
    let (own, out) = (call.tensor("self")?, call.tensor("out")?);
    let (scales, mode) = (call.floats("scales")?, call.text("mode")?);
    let mode = match mode.as_str() {
        "nearest" => Mode::Nearest,
        "bilinear" => Mode::Linear,
        _ => return invalid(format_args!("mode is {mode:?}, but must be \"nearest\" or \"bilinear\"")),
    };
    let rule = Rule { mode, takes: signatures::resize.takes, axes: 2, formats: IMAGES_OR_ND };
    let dtype = rule.dtype(&own, &out)?;
    let [images, results] = rule.images(&own, &out)?;
    images.must_have_elements()?;
    let given: Vec<f64> = match scales[..] {
        [down, across] => vec![down.into(), across.into()],
        [1.0, 1.0, down, across] => vec![down.into(), across.into()],
        _ => {
            return invalid(format_args!(
                "scales is {scales:?}, but must have two numbers, perhaps behind two of 1"
            ));
        }
    };
    let (image, result) = (images.sizes(), results.sizes());
    let fits = |((image, result), scale): ((&usize, &usize), &f64)| {
        *scale > 0.0 && *result > 0 && (*image as f64 * scale).floor() == *result as f64
    };
    if !image.iter().zip(result).zip(&given).all(fits) {
        return invalid(format_args!("images of {image:?} times {scales:?} are not those of {result:?}"));
    }
    if out.shape()?.is_empty_tensor() {
        return Ok(Plan::empty());
    }
    let axes = image.iter().zip(result).zip(given);
    let axes: Vec<Axis> = axes
        .map(|((image, result), scale)| rule.mode.axis(*image, *result, scale, false, dtype == F64))
        .collect();
    plan([&images, &results], dtype, Resampling::new(of_three(axes, &Axis::none())), false)
}

/// Returns whether the 910B looks at the scales; otherwise the sizes alone count.
fn scales_count(scales: &[f64], image: &[usize], result: &[usize], dtype: DType) -> bool {
    let all = |test: &dyn Fn(f64) -> bool| scales.iter().all(|scale| test(*scale));
    let fits = |((image, result), scale): ((&usize, &usize), &f64)| {
        (*image as f64 * scale).trunc() == *result as f64
    };
    dtype != F64
        && image.iter().zip(result).zip(scales).all(fits)
        && all(&|scale| scale != 0.0 && scale <= 50.0)
        && !(matches!(dtype, F32 | F16) && all(&|scale| scale == 2.0))
        && !(all(&|scale| scale == 1.0) && image != result)
}

macro_rules! operators {
    ($($name:ident: $body:ident($mode:ident, $axes:literal, $formats:ident);)*) => {$(
        fn $name(call: &Call<'_>) -> Result<Plan> {
            let rule = Rule { mode: Mode::$mode, takes: signatures::$name.takes, axes: $axes, formats: $formats };
            $body(call, &rule)
        }
    )*};
}

operators! {
    upsample_nearest1d: forward(Nearest, 1, PUBLIC);
    upsample_nearest1d_backward: backward(Nearest, 1, PUBLIC);
    upsample_nearest2d: forward(Nearest, 2, IMAGES);
    upsample_nearest2d_backward: backward(Nearest, 2, IMAGES);
    upsample_nearest3d: forward(Nearest, 3, PUBLIC);
    upsample_nearest3d_backward: backward(Nearest, 3, PUBLIC);
    upsample_nearest_exact1d: forward(NearestExact, 1, PUBLIC);
    upsample_nearest_exact1d_backward: backward(NearestExact, 1, PUBLIC);
    upsample_nearest_exact2d: forward(NearestExact, 2, IMAGES_OR_ND);
    upsample_nearest_exact2d_backward: backward(NearestExact, 2, PUBLIC);
    upsample_nearest_exact3d: forward(NearestExact, 3, PUBLIC);
    upsample_nearest_exact3d_backward: backward(NearestExact, 3, PUBLIC);
    upsample_linear1d: forward(Linear, 1, PUBLIC);
    upsample_linear1d_backward: backward(Linear, 1, PUBLIC);
    upsample_bilinear2d_backward: backward(Linear, 2, IMAGES);
    upsample_trilinear3d: forward(Linear, 3, PUBLIC);
    upsample_trilinear3d_backward: backward(Linear, 3, PUBLIC);
    upsample_bicubic2d: forward(Cubic, 2, IMAGES_OR_ND);
    upsample_bicubic2d_backward: backward(Cubic, 2, PUBLIC);
    // CANN does not describe these: they are as PyTorch's.
    upsample_bilinear2d_aa: forward(LinearWindow, 2, PUBLIC);
    upsample_bilinear2d_aa_backward: backward(LinearWindow, 2, PUBLIC);
    upsample_bicubic2d_aa: forward(CubicWindow, 2, PUBLIC);
    upsample_bicubic2d_aa_backward: backward(CubicWindow, 2, PUBLIC);
}

aclnn_sys::resize_operators!(entry_points);
