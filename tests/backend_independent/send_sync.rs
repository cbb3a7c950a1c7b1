//! What may cross threads: every public type of the crate, whatever features are on.

use std::marker::PhantomData;

use aclnn::plan::{CastBy, Choice, Plan, Policy, Reason, Role, Step};
use aclnn::{
    Axes, Backend, BackendKind, CallInfo, CloseError, Device, EarlierError, Ellipsis, Error, Event, Failure,
    Generator, Graph, HostBuffer, Layout, MemoryInfo, MemoryStatistics, NewAxis, Operand, OperandInfo,
    Operands, Parts, RankInfo, Scalar, SequencePlan, Shape, Stepped, Stream, Tensor, Transfer, onnx,
    openvino, ops,
};

use crate::support;

/// The name of a type that may cross threads.
const fn both<T: Send + Sync>(_: PhantomData<T>, name: &str) -> &str {
    name
}

macro_rules! assert_both {
    ($($type:ty),* $(,)?) => {
        const NAMES: &[&str] = &[$(both(PhantomData::<$type>, stringify!($type))),*];
    };
}

assert_both! {
    Axes,
    Backend,
    BackendKind,
    CallInfo,
    CastBy,
    CloseError<Device>,
    CloseError<HostBuffer<f32>>,
    CloseError<Stream>,
    Device,
    Ellipsis,
    EarlierError,
    Error,
    Event,
    Failure,
    Generator,
    Graph,
    HostBuffer<f32>,
    Layout,
    MemoryInfo,
    MemoryStatistics,
    NewAxis,
    Operand<'static>,
    OperandInfo,
    Operands,
    Parts,
    Plan,
    Choice,
    Policy,
    RankInfo,
    Reason,
    Role,
    Scalar,
    SequencePlan,
    Shape,
    Step,
    Stepped<std::ops::RangeFull>,
    Stream,
    Tensor,
    Transfer<bool>,
    onnx::Cast<'static>,
    onnx::CastOptions,
    onnx::CastPlan,
    onnx::Range,
    onnx::RangeInput,
    onnx::StringTensor,
    openvino::Range,
    ops::Attention<'static>,
    ops::AttentionGradients,
    ops::AttentionOutputs,
    ops::HeadLayout,
    ops::ByExpert,
    ops::PagedCache,
    ops::PagedSizes,
    ops::PagedStep,
    ops::Rotation,
    ops::RotationGradients,
    ops::AdamW<'static>,
    ops::Binary<'static, false>,
    ops::Binary<'static, true>,
    ops::BinaryInPlace<'static, false>,
    ops::BinaryInPlace<'static, true>,
    ops::BagMode,
    ops::EmbeddingBackward<'static>,
    ops::EmbeddingBag<'static>,
    ops::EmbeddingBags,
    ops::GroupedMatmul<'static>,
    ops::IndexAdd<'static>,
    ops::QuantMatmul<'static>,
    ops::SequenceId,
    ops::WeightQuantMatmul<'static>,
    ops::ScatterReduce<'static>,
    ops::ScatterReduction,
    ops::Im2col<'static>,
    ops::Col2im<'static>,
    ops::Convolution<'static, 2>,
    ops::ConvolutionGradients,
    ops::AvgPool<'static, 2>,
    ops::MaxPool<'static, 2>,
    ops::Interpolation,
    ops::LatentKeys<'static>,
    ops::LstmCell<'static>,
    ops::LstmGradients,
    ops::LstmStates,
    ops::Recurrent<'static>,
    ops::RecurrentGradients,
    ops::RecurrentOutputs,
    ops::RecurrentSteps,
    ops::RecurrentWeights,
    ops::GridSample<'static>,
    ops::SampleMode,
    ops::SamplePadding,
    ops::Join<'static>,
    ops::PadMode,
    ops::Elementwise<'static, ()>,
    ops::Factor,
    ops::Weight,
    ops::Tolerances,
    ops::SearchSorted<'static>,
    ops::Select<'static>,
    ops::Sort<'static>,
    ops::TopK<'static>,
    ops::Reduction<'static, 1, true>,
    ops::Scan<'static, false>,
    ops::Scan<'static, true>,
    ops::Loss<'static, ops::Mse>,
    ops::Mse,
    ops::L1,
    ops::SoftMargin,
    ops::SmoothL1,
    ops::Divergence,
    ops::BinaryCrossEntropy<'static>,
    ops::BinaryCrossEntropyWithLogits<'static>,
    ops::LossReduction,
    ops::NllLoss<'static>,
    ops::CrossEntropy<'static>,
    ops::CtcLoss<'static>,
    ops::TriangularSolve<'static>,
    ops::QrMode,
    ops::Linear<'static>,
    ops::Matmul<'static>,
    ops::AddMatmul<'static>,
    ops::Precision,
    ops::BatchNorm<'static>,
    ops::BatchNormInference<'static>,
    ops::GeGlu<'static>,
    ops::Normalization<'static>,
    ops::NormalizationBackward<'static>,
    ops::Unary<'static>,
    ops::Unique<'static>,
    ops::Parametric<'static>,
}

/// What a feature adds; the names are looked for whether it is on or not.
const OF_FEATURES: &[&str] = &[
    #[cfg(feature = "collectives")]
    both(PhantomData::<aclnn::collective::Batch<'static>>, "Batch"),
    #[cfg(not(feature = "collectives"))]
    "Batch",
    #[cfg(feature = "collectives")]
    both(PhantomData::<aclnn::collective::Communicator>, "Communicator"),
    #[cfg(not(feature = "collectives"))]
    "Communicator",
    #[cfg(feature = "collectives")]
    both(PhantomData::<aclnn::collective::Id>, "Id"),
    #[cfg(not(feature = "collectives"))]
    "Id",
    #[cfg(feature = "collectives")]
    both(PhantomData::<aclnn::collective::Launch>, "Launch"),
    #[cfg(not(feature = "collectives"))]
    "Launch",
    #[cfg(feature = "collectives")]
    both(PhantomData::<aclnn::collective::Launcher>, "Launcher"),
    #[cfg(not(feature = "collectives"))]
    "Launcher",
    #[cfg(feature = "collectives")]
    both(PhantomData::<aclnn::collective::Options>, "Options"),
    #[cfg(not(feature = "collectives"))]
    "Options",
    #[cfg(feature = "collectives")]
    both(PhantomData::<aclnn::collective::ReduceOp>, "ReduceOp"),
    #[cfg(not(feature = "collectives"))]
    "ReduceOp",
    #[cfg(feature = "dlpack")]
    both(PhantomData::<aclnn::interop::dlpack::ManagedTensor>, "ManagedTensor"),
    #[cfg(not(feature = "dlpack"))]
    "ManagedTensor",
    #[cfg(feature = "safetensors")]
    both(PhantomData::<aclnn::interop::safetensors::HostTensor>, "HostTensor"),
    #[cfg(not(feature = "safetensors"))]
    "HostTensor",
];

/// Structures of C, which hold pointers, and what a macro or a method uses within one call.
fn stays(name: &str) -> bool {
    name.starts_with("DL") || ["Call", "Given", "Plain", "Descriptors", "Selection"].contains(&name)
}

/// The name alone of a type.
fn name(path: &str) -> &str {
    let end = path.find('<').unwrap_or(path.len());
    path.get(..end).and_then(|path| path.rsplit("::").next()).unwrap_or(path).trim()
}

#[test]
fn no_public_type_is_forgotten() -> std::io::Result<()> {
    let mut found = Vec::new();
    for path in support::sources("src")? {
        for line in std::fs::read_to_string(&path)?.lines() {
            let item = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub enum "));
            let name = item.and_then(|item| item.split(|c: char| !c.is_alphanumeric()).next());
            found.extend(name.map(str::to_owned));
        }
    }
    assert!(found.len() > 20, "{found:?}");
    found.retain(|declared| !stays(declared) && !OF_FEATURES.contains(&declared.as_str()));
    found.retain(|declared| !NAMES.iter().any(|asserted| name(asserted) == declared));
    assert!(found.is_empty(), "not asserted to cross threads: {found:?}");
    Ok(())
}
