//! Recipes: short questions about models, with code that runs.
//!
//! The model of these recipes is that of example 18: it takes `image`, f32 of `[images, 1, 8, 8]`, and gives `probabilities` of ten
//! digits for each image.
//!
//! # What does a model take and give?
//!
//! ```
//! use aclnn_onnx::Model;
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/18_onnx/digits.onnx");
//! let model = Model::open(path)?;
//! let inputs: Vec<String> =
//!     model.inputs().map(|port| format!("{}: {}", port.name, port.value_type.unwrap())).collect();
//! assert_eq!(inputs, ["image: f32[images, 1, 8, 8]"]);
//! assert_eq!(model.opsets().collect::<Vec<_>>(), [("", 17)]);
//! # Ok::<(), aclnn_onnx::Error>(())
//! ```
//!
//! # How do I run a model on data of the host, and on data of the device?
//!
//! An [`Array`](crate::Array) is on the host, a [`Tensor`](crate::Tensor) on the device. Outputs are read with
//! [`Outputs::array`](crate::Outputs::array), which waits.
//!
//! ```
//! use aclnn_onnx::{Array, Device, Model, Tensor};
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/18_onnx/digits.onnx");
//! let device = Device::open(0)?;
//! let session = Model::open(path)?.session(&device)?;
//! let from_host = session.run([("image", Array::from_slice(&[0.5f32; 64], [1, 1, 8, 8])?)])?;
//! let tensor = Tensor::from_slice(&device, &[0.5f32; 64], [1, 1, 8, 8])?;
//! let from_device = session.run([("image", &tensor)])?;
//! let probabilities = from_host.array("probabilities")?.to_vec::<f32>()?;
//! assert_eq!(probabilities, from_device.array("probabilities")?.to_vec::<f32>()?);
//! assert!((probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-5);
//! # Ok::<(), aclnn_onnx::Error>(())
//! ```
//!
//! # How do I keep an output on the device for the next run?
//!
//! [`Outputs::tensor`](crate::Outputs::tensor) copies nothing. A decoder with a cache is run in this way: the cache that a run gives
//! is an input of the next one. What else is done with the tensor is a matter of the functions of `aclnn`.
//!
//! ```
//! use aclnn_onnx::{Device, Model, Tensor};
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/18_onnx/digits.onnx");
//! let device = Device::open(0)?;
//! let session = Model::open(path)?.session(&device)?;
//! let images = Tensor::from_slice(&device, &[0.5f32; 128], [2, 1, 8, 8])?;
//! let probabilities = session.run([("image", &images)])?.tensor("probabilities")?;
//! let digits = probabilities.argmax(1)?;
//! assert_eq!(digits.dims(), [2]);
//! # Ok::<(), aclnn_onnx::Error>(())
//! ```
//!
//! # Where does each node run, and how much memory does a run take?
//!
//! ```
//! use aclnn_onnx::{Device, Model, Placement};
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/18_onnx/digits.onnx");
//! let device = Device::open(0)?;
//! let session = Model::open(path)?.session(&device)?;
//! let plan = session.plan_for([("image", [16, 1, 8, 8].into())])?;
//! assert_eq!(plan.waits(), 0);
//! assert!(plan.nodes().iter().all(|node| *node.placement() == Placement::Device));
//! assert!(plan.peak_bytes() < 1 << 20);
//! println!("{plan}");
//! # Ok::<(), aclnn_onnx::Error>(())
//! ```
//!
//! # How do I find which rewriting changes a result?
//!
//! Leave them out one by one, and compare.
//!
//! ```
//! use aclnn_onnx::{Array, Device, Model, Options, Rewriting};
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/18_onnx/digits.onnx");
//! let device = Device::open(0)?;
//! let model = Model::open(path)?;
//! let image = Array::from_slice(&[0.5f32; 64], [1, 1, 8, 8])?;
//! let run = |options: &Options| -> Result<Vec<f32>, aclnn_onnx::Error> {
//!     let session = model.session_with(&device, options)?;
//!     session.run([("image", image.clone())])?.array("probabilities")?.to_vec()
//! };
//! let with_all = run(&Options::default())?;
//! for rewriting in Rewriting::ALL {
//!     let without = run(&Options::default().without(rewriting.name()))?;
//!     let difference = with_all.iter().zip(&without).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
//!     assert!(difference < 1e-5, "{}", rewriting.name());
//! }
//! # Ok::<(), aclnn_onnx::Error>(())
//! ```
//!
//! # How do I test a model as ONNX tests its own?
//!
//! Put `model.onnx` beside folders `test_data_set_0` and so on with inputs and expected outputs: [`cases`](crate::cases) runs them, and
//! so does `aclnn onnx test FOLDER`.
