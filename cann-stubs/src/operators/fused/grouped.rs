//! Products of groups: of rows with a matrix each, of parts of the common axis, or of pairs of matrices in lists.
//!
//! Here are the operands and what is refused of them; `groups` plans the products.

use aclnn_numerics::DType::{self, BF16, F16, F32, I4, I8, I32, I64};
use aclnn_numerics::product::Product::{Ascend310P, Ascend910, Ascend910B};
use cann_kernels::products::matrix::{Activation, Listed, Split};

use super::lists::{MOST_GROUPS, one_type, optional, required};
use super::operands::one_of;
use crate::operators::axes::invalid;
use crate::operators::call::{Call, Operand, Plan};
use crate::operators::{check, signatures};
use crate::settings;
use crate::status::Result;

/// The sizes of groups.
pub(super) enum List<'c> {
    /// Each group has a tensor of its own.
    Missing,
    /// The end of each group.
    Ends(Vec<i64>),
    /// A list on the device, which is read when the product is computed.
    Later(Operand<'c>, Listed),
}

/// The operands of a call.
pub(super) struct Operands<'c> {
    pub(super) x: Vec<Operand<'c>>,
    pub(super) weight: Vec<Operand<'c>>,
    pub(super) out: Vec<Operand<'c>>,
    pub(super) bias: Option<Vec<Operand<'c>>>,
    pub(super) scale: Option<Vec<Operand<'c>>>,
    pub(super) offset: Option<Vec<Operand<'c>>>,
    pub(super) antiquant_scale: Option<Vec<Operand<'c>>>,
    pub(super) antiquant_offset: Option<Vec<Operand<'c>>>,
    pub(super) token_scale: Option<Vec<Operand<'c>>>,
    pub(super) list: List<'c>,
    /// Whether all results are in one tensor.
    pub(super) is_joined: bool,
    pub(super) activation: Option<Activation>,
    pub(super) types: Types,
}

/// The types of factors and results.
pub(super) struct Types {
    pub(super) own: DType,
    pub(super) weight: DType,
    pub(super) out: DType,
}

impl Types {
    /// Types that go together, which depends on what is given beside the factors.
    fn of(
        call: &Call<'_>,
        [x, weight, out]: [&[Operand]; 3],
        is_scaled: bool,
        is_shifted: bool,
    ) -> Result<Self> {
        let mut listed: Vec<DType> = check::types(signatures::grouped_matmul.takes).iter().collect();
        if listed.contains(&I8) {
            listed.push(I4);
        }
        let own = one_type(x, &listed)?;
        let weight = one_type(weight, &[own, I8, I4])?;
        let out = one_type(out, &[F16, BF16, F32, I8, I32])?;
        let is_first = call.info.name() == "GroupedMatmul";
        let fits = match (own, weight) {
            (I8 | I4, I4) if is_scaled && !is_shifted => {
                return check::not_emulated(format_args!(
                    "products of groups of {own} with weights of {weight}"
                ));
            }
            (I8, I8) => is_scaled && !is_shifted && out != F32,
            (F16 | BF16, I8 | I4) => is_shifted && !is_scaled && out == own,
            (F32, F32) => !is_first && !is_scaled && !is_shifted && out == own,
            (F16, F16) | (BF16, BF16) => !is_scaled && !is_shifted && out == own,
            _ => false,
        };
        match fits {
            true => Ok(Self { own, weight, out }),
            false => invalid(format_args!(
                "x of {own}, weight of {weight} and a result of {out} do not go together here: floats go with a weight and \
                 a result of their type, i8 with a weight of i8 and with scale, and f16 and bf16 with a weight of integers \
                 and with antiquantScale and antiquantOffset"
            )),
        }
    }

    pub(super) fn is_exact(&self) -> bool {
        self.own == I8
    }
}

/// The axis that is cut into groups; none where tensors come in lists.
fn split(call: &Call<'_>, [x, weight, out]: [usize; 3]) -> Result<Option<Split>> {
    if !call.has("groupType") {
        let are_pairs = x > 1 && out > 1 || x == 1 && weight == 1 && out == 1;
        return Ok((!are_pairs).then_some(Split::Rows));
    }
    match call.int("groupType")? {
        -1 => Ok(None),
        0 => Ok(Some(Split::Rows)),
        2 if !call.has("quantGroupSize") => Ok(Some(Split::Common)),
        other => invalid(format_args!("groupType is {other}, which this form does not have")),
    }
}

fn activation(call: &Call<'_>, types: &Types) -> Result<Option<Activation>> {
    if !call.has("actType") {
        return Ok(None);
    }
    let activation = match call.int("actType")? {
        0 => return Ok(None),
        1 => Activation::Relu,
        2 => Activation::GeluByTanh,
        4 => Activation::FastGelu,
        5 => Activation::Silu,
        other => return invalid(format_args!("actType is {other}, but must be 0, 1, 2, 4 or 5")),
    };
    match types.is_exact() {
        true => Ok(Some(activation)),
        false => invalid("only products of integers have activations: actType must be 0"),
    }
}

impl<'c> List<'c> {
    /// The number of its entries.
    pub(super) fn entries(&self) -> Result<usize> {
        match self {
            List::Missing => Ok(0),
            List::Ends(ends) => Ok(ends.len()),
            List::Later(list, _) => Ok(list.shape()?[0]),
        }
    }

    fn of(call: &'c Call<'_>) -> Result<Self> {
        if !call.is_tensor("groupListOptional") {
            return match call.optional("groupListOptional", Call::ints)? {
                None => Ok(List::Missing),
                Some([]) => invalid("groupList has no entries"),
                Some(ends) if ends.windows(2).any(|pair| pair[1] < pair[0]) || ends[0] < 0 => {
                    invalid(format_args!("groupList {ends:?} holds where groups end, which never decreases"))
                }
                Some(ends) => Ok(List::Ends(ends.to_vec())),
            };
        }
        let Some(list) = call.optional_tensor("groupListOptional")? else { return Ok(List::Missing) };
        one_of(&list, &[I64])?;
        let listed = match if call.has("groupListType") { call.int("groupListType")? } else { 0 } {
            0 => Listed::End,
            1 => Listed::Size,
            2 if settings::get().product == Ascend910B && call.int("groupType")? == 0 => Listed::Pair,
            other => {
                return invalid(format_args!(
                    "groupListType is {other}, which this product does not have for these groups"
                ));
            }
        };
        let is_list = match (listed, &list.shape()?[..]) {
            (Listed::Pair, [count, 2]) | (Listed::End | Listed::Size, [count]) => {
                (1..=MOST_GROUPS).contains(count)
            }
            _ => false,
        };
        match is_list {
            true => Ok(List::Later(list, listed)),
            false => invalid(format_args!(
                "groupList has shape {}, but must have from 1 to {MOST_GROUPS} entries on one axis, or [entries, 2] where it \
                 lists pairs",
                list.shape()?
            )),
        }
    }
}

pub(super) fn grouped_matmul(call: &Call<'_>) -> Result<Plan> {
    let (x, weight) = (required(call, "x")?, required(call, "weight")?);
    let out = required(call, if call.has("y") { "y" } else { "out" })?;
    for name in [
        "activationInputOptional",
        "activationQuantScaleOptional",
        "activationQuantOffsetOptional",
        "activationFeatureOutOptional",
        "dynQuantScaleOutOptional",
    ] {
        if optional(call, name)?.is_some() {
            return invalid(format_args!("{name} must be null"));
        }
    }
    let (scale, offset) = (optional(call, "scaleOptional")?, optional(call, "offsetOptional")?);
    let antiquant_scale = optional(call, "antiquantScaleOptional")?;
    let antiquant_offset = optional(call, "antiquantOffsetOptional")?;
    let token_scale = optional(call, "perTokenScaleOptional")?;
    if antiquant_scale.is_some() != antiquant_offset.is_some() {
        return invalid("antiquantScale and antiquantOffset go together");
    }
    let types = Types::of(call, [&x, &weight, &out], scale.is_some(), antiquant_scale.is_some())?;
    if !types.is_exact() && (offset.is_some() || token_scale.is_some()) {
        return invalid("offset and perTokenScale go with x of i8");
    }
    if offset.is_some() && types.out != I8 {
        return invalid("offset goes with a result of i8");
    }
    if call.has("quantGroupSize") && call.int("quantGroupSize")? != 0 {
        return check::not_emulated("products of groups with a scale for each part of a column");
    }
    let is_joined = match call.int("splitItem")? {
        0 | 1 => false,
        2 | 3 => true,
        other => return invalid(format_args!("splitItem is {other}, but must be from 0 to 3")),
    };
    let split = split(call, [x.len(), weight.len(), out.len()])?;
    if split.is_none() && is_joined {
        return invalid("splitItem 2 and 3 need groups of rows or of the common axis");
    }
    if is_joined && out.len() != 1 {
        return invalid("splitItem 2 and 3 have one output");
    }
    let are_single = x.len() == 1 && weight.len() == 1 && out.len() == 1;
    let is_first = !call.has("groupType") || !call.is_tensor("groupListOptional");
    match settings::get().product {
        Ascend910 => return invalid("this product has no products of groups"),
        Ascend310P if is_first || !are_single || split != Some(Split::Rows) => {
            return invalid(
                "this product takes single tensors of f16 in groups of rows, from GroupedMatmulV3 on",
            );
        }
        _ => {}
    }
    let activation = activation(call, &types)?;
    let (bias, list) = (optional(call, "biasOptional")?, List::of(call)?);
    let operands = Operands {
        x,
        weight,
        out,
        bias,
        scale,
        offset,
        antiquant_scale,
        antiquant_offset,
        token_scale,
        list,
        is_joined,
        activation,
        types,
    };
    match split {
        None if matches!(operands.list, List::Ends(_)) && call.has("groupType") => {
            invalid("pairs of matrices in lists have no groupList")
        }
        None => operands.pairs(),
        Some(Split::Rows) => operands.rows(),
        Some(Split::Common) => operands.parts(),
    }
}

/// The types of biases beside x of some type.
pub(super) fn bias_types(own: DType) -> &'static [DType] {
    match own {
        I8 => &[I32],
        F16 => &[F16, F32],
        BF16 => &[BF16, F32],
        _ => &[F32],
    }
}
