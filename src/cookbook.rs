//! Short answers to common questions. Every recipe runs unchanged; the numbered programs in the folder `examples`
//! explain the same in more detail.
//!
//! Backends
//! - [Which library is in use, and why?](#which-library-is-in-use-and-why)
//!
//! Types
//! - [What happens to operands of different types?](#what-happens-to-operands-of-different-types)
//! - [How do I choose the type of the result?](#how-do-i-choose-the-type-of-the-result)
//! - [How do I leave the conversion to the library?](#how-do-i-leave-the-conversion-to-the-library)
//! - [How do I cast exactly as ONNX does?](#how-do-i-cast-exactly-as-onnx-does)
//!
//! Elements
//! - [What is it called here?](#what-is-it-called-here)
//! - [How do I write into a part of a tensor?](#how-do-i-write-into-a-part-of-a-tensor)
//! - [How do I compute without a new tensor?](#how-do-i-compute-without-a-new-tensor)
//! - [How do I read one element?](#how-do-i-read-one-element)
//! - [How do I draw random numbers?](#how-do-i-draw-random-numbers)
//!
//! Networks
//! - [How do I read and write weights and arrays?](#how-do-i-read-and-write-weights-and-arrays)
//! - [How do I run an ONNX model?](#how-do-i-run-an-onnx-model)
//! - [How do I serve requests with several threads?](#how-do-i-serve-requests-with-several-threads)
//! - [How do I convolve images?](#how-do-i-convolve-images)
//! - [How do I build a CNN layer by layer?](#how-do-i-build-a-cnn-layer-by-layer)
//! - [How do I pool, normalise, and take a loss?](#how-do-i-pool-normalise-and-take-a-loss)
//!
//! Time
//! - [How do I upload and download without waiting?](#how-do-i-upload-and-download-without-waiting)
//! - [How do I order two streams?](#how-do-i-order-two-streams)
//! - [How long does my work take?](#how-long-does-my-work-take)
//!
//! Several devices
//! - [How do I sum over several devices?](#how-do-i-sum-over-several-devices)
//! - [How do ranks in several processes find each other?](#how-do-ranks-in-several-processes-find-each-other)
//!
//! Memory and failures
//! - [How much memory is used, and how do I limit it?](#how-much-memory-is-used-and-how-do-i-limit-it)
//! - [What do I do when memory runs out?](#what-do-i-do-when-memory-runs-out)
//! - [What do I do when a stream has failed?](#what-do-i-do-when-a-stream-has-failed)
//! - [How do I test that my code bears failures?](#how-do-i-test-that-my-code-bears-failures)
//!
//! [`operator!`](crate::operator!) describes how operators from other libraries are bound;
//! `examples/10_custom_operator` has the C code too.
//!
//! # Which library is in use, and why?
//!
//! `ACLNN_BACKEND` chooses: CANN, the emulator, or a directory. [`Backend`](crate::Backend) tells what was chosen, and
//! what was tried before.
//!
//! ```
//! use aclnn::{Backend, BackendKind};
//!
//! let backend = Backend::get()?;
//! println!("{backend}");
//! if backend.kind() != BackendKind::Cann {
//!     for attempt in backend.tried() {
//!         println!("not {attempt}");
//!     }
//! }
//! # assert_eq!(backend.describe().contains("emulator"), backend.kind() != BackendKind::Cann);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # What happens to operands of different types?
//!
//! They are promoted by a [published table](crate::promote), and their shapes are broadcast. The
//! [plan](crate::ops::Binary::plan) shows it; making a plan launches nothing.
//!
//! ```
//! use aclnn::{Device, Tensor, f16, ops};
//!
//! let device = Device::open(0)?;
//! let rows = Tensor::from_slice(&device, &[f16::ONE; 6], [2, 3])?;
//! let bias = Tensor::from_slice(&device, &[0.5f32, 1.5, 2.5], [3])?;
//! let sum = ops::add(&rows, &bias);
//! assert_eq!(sum.plan()?.to_string(), "add: Cast self f16→f32; Add f32 → f32 [2, 3]");
//! assert_eq!(sum.run()?.to_vec::<f32>()?, [1.5, 2.5, 3.5, 1.5, 2.5, 3.5]);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do I choose the type of the result?
//!
//! Use [`dtype`](crate::ops::Binary::dtype), or [run into](crate::ops::Binary::run_into) a tensor of that type. If the
//! operator does not make the conversion, a Cast of the result is planned.
//!
//! ```
//! use aclnn::{DType, Device, Tensor, ops};
//!
//! let device = Device::open(0)?;
//! let a = Tensor::from_slice(&device, &[1.5f32, -2.5], [2])?;
//! let product = ops::mul(&a, 2).dtype(DType::I64).run()?;
//! assert_eq!(product.to_vec::<i64>()?, [3, -5]);
//!
//! let mut out = Tensor::zeros(&device, [2], DType::I16)?;
//! ops::mul(&a, 2).run_into(&mut out)?;
//! assert_eq!(out.to_vec::<i16>()?, [3, -5]);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do I leave the conversion to the library?
//!
//! With [`Policy::Auto`](crate::plan::Policy::Auto) the library gets the operands as they are wherever it casts them just
//! as this crate would: the result is the same to the bit, with fewer launches. The plan tells what was chosen, and why.
//!
//! ```
//! use aclnn::plan::Policy;
//! use aclnn::{DType, Device, Tensor, f16, ops};
//!
//! let device = Device::open(0)?;
//! let half = Tensor::from_slice(&device, &[f16::ONE; 2], [2])?;
//! let (double, complex) = (half.cast(DType::F64)?, half.cast(DType::C64)?);
//! let sum = ops::add(&half, &double).policy(Policy::Auto).plan()?;
//! assert_eq!(sum.to_string(), "add: Add f16, f64 → f64 [2] (auto: delegated, the library casts alike)");
//! let sum = ops::add(&double, &complex).policy(Policy::Auto).plan()?;
//! assert_eq!(
//!     sum.to_string(),
//!     "add: Cast self f64→c64; Add c64 → c64 [2] (auto: inserted, the library promotes to c128)"
//! );
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! With [`Policy::Delegate`](crate::plan::Policy::Delegate) it gets them in every case. Then the library's own table
//! decides, and may change with another release.
//!
//! ```
//! use aclnn::plan::Policy;
//! use aclnn::{Device, Tensor, f16, ops};
//!
//! let device = Device::open(0)?;
//! let a = Tensor::from_slice(&device, &[f16::ONE; 2], [2])?;
//! let b = Tensor::from_slice(&device, &[0.5f32, 1.5], [2])?;
//! let sum = ops::add(&a, &b).policy(Policy::Delegate);
//! assert_eq!(sum.plan()?.to_string(), "add: Add f16, f32 → f32 [2]");
//! assert_eq!(sum.run()?.to_vec::<f32>()?, [1.5, 2.5]);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do I cast exactly as ONNX does?
//!
//! [`onnx::cast`](crate::onnx::cast) takes the opset and the attributes of the model. It runs on the device if the
//! device does the same, otherwise on the host; the plan tells which.
//!
//! ```
//! use aclnn::{DType, Device, Tensor, onnx};
//!
//! let device = Device::open(0)?;
//! let a = Tensor::from_slice(&device, &[1.0f32, 1e6], [2])?;
//! let saturated = onnx::cast(&a, DType::F8E4M3FN).run()?;
//! assert_eq!(saturated.to_bytes()?, [0x38, 0x7E]); // 1 and 448, the largest
//! let open = onnx::cast(&a, DType::F8E4M3FN).opset(19).saturate(false).run()?;
//! assert_eq!(open.to_bytes()?, [0x38, 0x7F]); // 1 and NaN
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # What is it called here?
//!
//! For users of NumPy or PyTorch; [a page](crate::topics::coming_from) has more, also for candle and ndarray:
//!
//! | there | here |
//! |---|---|
//! | `np.array(v)`, `torch.tensor(v)` | [`Tensor::from_slice`](crate::Tensor::from_slice), [`Tensor::from_vec`](crate::Tensor::from_vec) with a shape, which may be a tuple |
//! | `a.shape`, `a.size()` | [`dims()`](crate::Tensor::dims) as a slice, [`shape()`](crate::Tensor::shape) |
//! | `a.astype(t)`, `a.to(t)` | [`cast`](crate::Tensor::cast), [`to_dtype`](crate::Tensor::to_dtype) |
//! | `a.to(device)` | [`to`](crate::Tensor::to) |
//! | `a.tolist()`, `a.item()` | [`to_vec`](crate::Tensor::to_vec) or, into a slice, [`copy_to_slice`](crate::Tensor::copy_to_slice); [`item`](crate::Tensor::item) |
//! | `zeros_like(a)` and the like | [`zeros_like`](crate::Tensor::zeros_like), [`ones_like`](crate::Tensor::ones_like), [`full_like`](crate::Tensor::full_like), [`empty_like`](crate::Tensor::empty_like) |
//! | `a[:, -1]`, `a[:-1]`, `a[::2]` | [`select`](crate::Tensor::select), [`slice`](crate::Tensor::slice), [`slice_step`](crate::Tensor::slice_step); the axis is the first argument. Ranges beyond the axis are refused, not cut |
//! | `for row in a`, `a.unbind(d)` | [`iter`](crate::Tensor::iter), [`unbind`](crate::Tensor::unbind) |
//! | `a.chunk(n)`, `a.split(n)` | [`chunk`](crate::Tensor::chunk), [`split`](crate::Tensor::split); the axis is the first argument |
//! | `a.mT`, `a.permute(…)` | [`transpose`](crate::Tensor::transpose), [`permute`](crate::Tensor::permute) |
//! | `a[None]`, `a.unsqueeze(d)` | [`unsqueeze`](crate::Tensor::unsqueeze) |
//! | `2 * a + b` | `((2 * &a)? + &b)?`: each step may be refused, and [`ops`](crate::ops#operators-of-rust) says more |
//! | `a += b`, `a.add_(b)` | [`add_in_place`](crate::Tensor::add_in_place) |
//! | `a / b` of integers | true division, as f32 |
//! | `a.sort(d)`, `a.argsort(d)`, `a.topk(k, d)` | [`sort`](crate::Tensor::sort), [`argsort`](crate::Tensor::argsort), [`topk`](crate::Tensor::topk); [`ops::sort`](crate::ops::sort) and [`ops::topk`](crate::ops::topk) take the options |
//! | `a.median()`, `a.median(d)`, `a.kthvalue(k, d)` | [`median`](crate::Tensor::median), [`median_dim`](crate::Tensor::median_dim), [`kth_value`](crate::Tensor::kth_value) |
//! | `np.searchsorted(a, v)`, `torch.bucketize(v, a)` | [`search_sorted`](crate::Tensor::search_sorted), [`bucketize`](crate::Tensor::bucketize) |
//! | `np.unique(a, return_counts=True)` | [`unique`](crate::Tensor::unique), and with counts [`ops::unique`](crate::ops::unique) |
//! | `a[:, i]`, `a[i, j]` with arrays of indices | [`index`](crate::Tensor::index), with `None` for a whole axis; [`index_select`](crate::Tensor::index_select) for one axis |
//! | `a[i] = b`, `a[i] += b` | [`index_put_in_place`](crate::Tensor::index_put_in_place), [`index_put_add_in_place`](crate::Tensor::index_put_add_in_place) |
//! | `a[mask]`, `a[mask] = x` | [`masked_select`](crate::Tensor::masked_select), [`masked_fill_in_place`](crate::Tensor::masked_fill_in_place) |
//! | `np.take(a, i)`, `np.take(a, i, axis)`, `np.take_along_axis(a, i, axis)` | [`take`](crate::Tensor::take), [`take_axis`](crate::Tensor::take_axis), [`gather`](crate::Tensor::gather) |
//! | `np.nonzero(a)`, `np.argwhere(a)` | [`nonzero_axes`](crate::Tensor::nonzero_axes), [`nonzero`](crate::Tensor::nonzero) |
//! | `a.scatter_(d, i, b)`, `a.scatter_add_(d, i, b)` | [`scatter_in_place`](crate::Tensor::scatter_in_place), [`scatter_add_in_place`](crate::Tensor::scatter_add_in_place) |
//! | `torch.rand(…)`, `a.uniform_(…)`, `F.dropout(a, p)` | [`rand`](crate::Tensor::rand), [`uniform_in_place`](crate::Tensor::uniform_in_place), [`dropout`](crate::Tensor::dropout), each with a [generator](crate::Generator) |
//! | `stream.query()` | [`Stream::query`](crate::Stream::query) |
//!
//! ```
//! use aclnn::{DType, Device, Tensor};
//!
//! let device = Device::open(0)?;
//! let a = Tensor::from_vec(&device, vec![1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], (2, 3))?;
//! assert_eq!(a.select(-1, -1)?.to_vec::<f32>()?, [3.0, 6.0]);
//! assert_eq!(a.slice(1, ..-1)?.dims(), [2, 2]);
//! for row in a.iter()? {
//!     let distance = (a.ones_like()? - (1 / &row)?)?;
//!     println!("{}", distance.to_dtype(DType::F16)?);
//! }
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do I write into a part of a tensor?
//!
//! Use a view: it shares the elements of its tensor. Copies convert and broadcast.
//!
//! ```
//! use aclnn::{DType, Device, Tensor};
//!
//! let device = Device::open(0)?;
//! let grid = Tensor::zeros(&device, [2, 4], DType::I32)?;
//! grid.slice(1, 1..3)?.copy_from(&Tensor::from_slice(&device, &[5.0f32, 6.0], [2])?)?;
//! grid.select(0, 1)?.slice(0, 3..)?.copy_from_slice(&[9])?;
//! assert_eq!(grid.to_vec::<i32>()?, [0, 5, 6, 0, 0, 5, 6, 9]);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do I compute without a new tensor?
//!
//! Compute in place. The tensor keeps its type and shape, and every view and clone of it sees the result.
//!
//! ```
//! use aclnn::{Device, Tensor, ops};
//!
//! let device = Device::open(0)?;
//! let mut weight = Tensor::from_slice(&device, &[1.0f32, 2.0], [2])?;
//! let gradient = Tensor::from_slice(&device, &[10.0f32, -10.0], [2])?;
//! ops::sub_in_place(&mut weight, &gradient).alpha(0.125).run()?;
//! weight.mul_in_place(4)?;
//! assert_eq!(weight.to_vec::<f32>()?, [-1.0, 13.0]);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do I read one element?
//!
//! Select the element: then only this element is copied to the host.
//!
//! ```
//! use aclnn::{DType, Device, Tensor};
//!
//! let device = Device::open(0)?;
//! let grid = Tensor::arange(&device, 0, 6, 1, DType::I32)?.reshape([2, 3])?;
//! assert_eq!(grid.select(0, 1)?.select(0, 2)?.item::<i32>()?, 5);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do I draw random numbers?
//!
//! Pass a [`Generator`](crate::Generator): a seed and an offset on the host, which moves on with each call. A framework keeps
//! one for each device, stores both numbers in its checkpoints, and hands them to operators of its own, for which
//! [`reserve`](crate::Generator::reserve) counts.
//!
//! ```
//! use aclnn::{DType, Device, Generator, Tensor};
//!
//! let device = Device::open(0)?;
//! let mut generator = Generator::new(42);
//! let mut weight = Tensor::zeros(&device, [4, 3], DType::F16)?;
//! weight.uniform_in_place(-0.5..0.5, &mut generator)?;
//! let order = Tensor::randperm(&device, 100, DType::I64, &mut generator)?;
//! let checkpoint = (generator.seed(), generator.offset());
//!
//! let (dropped, mask) = weight.dropout(0.1, &mut generator)?;
//! let mut restored = Generator::new(checkpoint.0).with_offset(checkpoint.1);
//! let (again, _) = weight.dropout(0.1, &mut restored)?;
//! assert_eq!(dropped.to_bytes()?, again.to_bytes()?);
//! # let _ = (order, mask);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do I read and write weights and arrays?
//!
//! `interop::safetensors` has files of many tensors (feature `safetensors`), and [`Tensor`](crate::Tensor) reads and writes
//! files of NumPy (feature `npy`). [Coming from PyTorch](crate::topics::coming_from#saving-and-loading) has both with code.
//!
//! # How do I run an ONNX model?
//!
//! With the crate `aclnn-onnx`, in the folder `onnx` of the repository: it opens the file, fuses what exporters write, and
//! runs it with the operators of this crate. Its page is `docs/onnx.md`, and it has a cookbook of its own.
//!
//! # How do I serve requests with several threads?
//!
//! Threads share the weights, since tensors are `Send` and `Sync`. Each thread makes a stream, and its inputs on that: work
//! goes to the stream of its first operand, and waits for the weights by itself.
//!
//! ```
//! use std::sync::{Mutex, mpsc};
//!
//! use aclnn::{DType, Device, Error, Stream, Tensor, ops};
//!
//! let device = Device::open(0)?;
//! let (weight, bias) = (Tensor::ones(&device, [2, 3], DType::F32)?, Tensor::ones(&device, [2], DType::F32)?);
//! let (questions, waiting) = mpsc::channel::<[f32; 3]>();
//! let (answers, answered) = mpsc::channel();
//! let waiting = Mutex::new(waiting);
//! let serve = |answers: mpsc::Sender<Result<Vec<f32>, Error>>| -> Result<(), Error> {
//!     let stream = Stream::new(&device)?;
//!     loop {
//!         let Ok(Ok(question)) = waiting.lock().map(|waiting| waiting.recv()) else { return Ok(()) };
//!         let answer = Tensor::from_slice(&stream, &question, [1, 3])
//!             .and_then(|x| ops::linear(&x, &weight).bias(&bias).run())
//!             .and_then(|y| y.to_vec::<f32>());
//!         _ = answers.send(answer);
//!     }
//! };
//! std::thread::scope(|scope| {
//!     let serve = &serve;
//!     for answers in vec![answers; 4] {
//!         scope.spawn(move || serve(answers));
//!     }
//!     for number in 0..8 {
//!         _ = questions.send([number as f32; 3]);
//!     }
//!     drop(questions); // the threads end
//! });
//! assert_eq!(answered.iter().collect::<Result<Vec<_>, _>>()?.len(), 8);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do I convolve images?
//!
//! Images are `[batches, channels, rows, columns]`, and the weight is
//! `[channels of the result, channels / groups, rows, columns]`, as in PyTorch. [`conv2d`](crate::ops::conv2d()) has the
//! options; each takes a number for rows and one for columns. Sums are f32, and the result has the type of the operands.
//!
//! ```
//! use aclnn::{DType, Device, Generator, Tensor, ops};
//!
//! let device = Device::open(0)?;
//! let mut generator = Generator::new(1);
//! let mut draw = |shape: [usize; 4]| Tensor::randn(&device, shape, DType::F16, &mut generator);
//! let (images, weight) = (draw([8, 16, 32, 32])?, draw([64, 16, 3, 3])?);
//! let bias = Tensor::zeros(&device, [64], DType::F16)?;
//! let same = ops::conv2d(&images, &weight).bias(&bias).padding([1, 1]).run()?;
//! assert_eq!((same.dims(), same.dtype()), (&[8, 64, 32, 32][..], DType::F16));
//! let half = ops::conv2d(&images, &weight).stride([2, 2]).padding([1, 1]).run()?;
//! assert_eq!(half.dims(), [8, 64, 16, 16]);
//! let wide = ops::conv2d(&images, &weight).dilation([2, 2]).padding([2, 2]).run()?;
//! assert_eq!(wide.dims(), [8, 64, 32, 32]);
//! let depthwise = ops::conv2d(&images, &draw([16, 1, 3, 3])?).groups(16).padding([1, 1]).run()?;
//! assert_eq!(depthwise.dims(), [8, 16, 32, 32]);
//! // Twice as large again. The weight of a transposed convolution is [channels, channels of the result / groups, …].
//! let up = ops::conv_transpose2d(&half, &weight).stride([2, 2]).padding([1, 1]).output_padding([1, 1]);
//! assert_eq!(up.run()?.dims(), [8, 16, 32, 32]);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do I build a CNN layer by layer?
//!
//! Keep the weights in a structure, and call one operator after the other. `examples/17_cnn` does it with weights of a file,
//! and [frameworks](crate::topics::frameworks) tells how gradients are computed.
//!
//! ```
//! use aclnn::{DType, Device, Generator, Result, Tensor, ops};
//!
//! struct Network { conv: Tensor, conv_bias: Tensor, linear: Tensor, linear_bias: Tensor }
//!
//! impl Network {
//!     fn forward(&self, images: &Tensor) -> Result<Tensor> {
//!         let x = ops::conv2d(images, &self.conv).bias(&self.conv_bias).padding([1, 1]).run()?;
//!         let x = x.group_norm(4)?.relu()?.max_pool2d([2, 2])?; // [n, 16, 14, 14]
//!         let x = x.adaptive_avg_pool2d([1, 1])?.flatten(1, -1)?; // [n, 16]
//!         ops::linear(&x, &self.linear).bias(&self.linear_bias).run() // [n, 10]
//!     }
//! }
//!
//! let (device, mut generator) = (Device::open(0)?, Generator::new(1));
//! let mut draw = |shape: &[usize]| Tensor::randn(&device, shape, DType::F16, &mut generator);
//! let (conv, conv_bias, linear, linear_bias) = (draw(&[16, 1, 3, 3])?, draw(&[16])?, draw(&[10, 16])?, draw(&[10])?);
//! let network = Network { conv, conv_bias, linear, linear_bias };
//! let scores = network.forward(&draw(&[2, 1, 28, 28])?)?;
//! let (probabilities, classes) = scores.softmax(1)?.topk(3, 1)?;
//! assert_eq!((probabilities.dims(), classes.dtype()), (&[2, 3][..], DType::I64));
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do I pool, normalise, and take a loss?
//!
//! Methods have the options of PyTorch at their defaults, and the functions of the same names in [`ops`](crate::ops#by-family)
//! take others. A loss is a tensor without axes; [`item`](crate::Tensor::item) waits for it.
//!
//! ```
//! use aclnn::ops::{self, LossReduction};
//! use aclnn::{DType, Device, Generator, Tensor};
//!
//! let device = Device::open(0)?;
//! let x = Tensor::randn(&device, [4, 8, 9, 9], DType::F32, &mut Generator::new(1))?;
//! assert_eq!(x.max_pool2d([3, 3])?.dims(), [4, 8, 3, 3]); // the stride is the size of the window
//! let overlapping = ops::avg_pool2d(&x, [3, 3]).stride([2, 2]).padding([1, 1]).run()?;
//! assert_eq!(overlapping.dims(), [4, 8, 5, 5]);
//!
//! let (weight, bias) = (Tensor::ones(&device, [8], DType::F32)?, Tensor::zeros(&device, [8], DType::F32)?);
//! let (mut mean, mut variance) = (bias.copy()?, weight.copy()?); // running ones
//! let training = ops::batch_norm(&x).weight(&weight).bias(&bias);
//! let (normal, ..) = training.run_updating(&mut mean, &mut variance, 0.1)?;
//! let inference = ops::batch_norm_inference(&x, &mean, &variance).weight(&weight).bias(&bias).run()?;
//! assert_eq!(normal.dims(), inference.dims());
//!
//! let scores = normal.mean([2, 3])?; // [4, 8]
//! let classes = Tensor::from_slice(&device, &[0i64, 3, 7, 1], [4])?;
//! let loss = ops::cross_entropy(&scores, &classes).label_smoothing(0.1).run()?.item::<f32>()?;
//! let each = ops::cross_entropy(&scores, &classes).reduction(LossReduction::None).run()?;
//! assert!(loss > 0.0 && each.dims() == [4]);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do I upload and download without waiting?
//!
//! Use a [`HostBuffer`](crate::HostBuffer), which a [`Transfer`](crate::Transfer) holds while the copy runs. With two
//! streams, one chunk can be copied while another one is computed: `examples/06_overlap.rs`.
//!
//! ```
//! use aclnn::{DType, Device, HostBuffer, Tensor};
//!
//! let device = Device::open(0)?;
//! let mut tensor = Tensor::zeros(&device, [3], DType::F32)?;
//! let upload = tensor.upload(HostBuffer::from_slice(&device, &[1.0f32, 2.0, 3.0])?)?;
//! let download = tensor.mul(&tensor)?.download(HostBuffer::<f32>::zeroed(&device, 3)?)?;
//! // … the host does something else …
//! assert_eq!(*download.wait()?, [1.0, 4.0, 9.0]);
//! let buffer = upload.wait()?; // for the next chunk
//! # let _ = buffer;
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do I order two streams?
//!
//! If they share tensors, nothing is needed: this crate orders them. For anything else, such as work queued by C calls,
//! an [`Event`](crate::Event) marks a point that another stream [waits](crate::Stream::wait) for.
//!
//! ```
//! use aclnn::{DType, Device, Stream, Tensor, ops};
//!
//! let device = Device::open(0)?;
//! let (first, second) = (Stream::new(&device)?, Stream::new(&device)?);
//! let a = Tensor::full(&first, [2], 3, DType::F32)?;
//! let product = ops::mul(&a, &a).on(&second).run()?; // after `a` is there
//! assert_eq!(product.to_vec::<f32>()?, [9.0; 2]);
//!
//! let mark = first.record()?;
//! second.wait(&mark)?; // what comes to the second from here on comes after the mark
//! second.synchronize()?;
//! assert!(mark.is_complete()?);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How long does my work take?
//!
//! Operators only queue work, so host time around them does not measure the work. Events before and after the work
//! measure its time on the device.
//!
//! ```
//! use aclnn::{DType, Device, Tensor};
//!
//! let device = Device::open(0)?;
//! let stream = device.stream();
//! let a = Tensor::ones(&stream, [1000, 1000], DType::F32)?;
//! let before = stream.record()?;
//! let sum = a.add(&a)?;
//! let after = stream.record()?;
//! after.synchronize()?;
//! println!("{sum:?} took {:?}", after.elapsed_since(&before)?);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do I sum over several devices?
//!
//! Make a [group](crate::collective) of them, and call [`all_reduce`](crate::collective::Communicator::all_reduce) on each.
//! It is queued like everything else; reading a result waits for all ranks.
//!
//! ```
//! # if std::env::var_os("CANN_STUBS_DEVICES").is_none() {
//! #     // SAFETY: no other thread of this program runs yet.
//! #     unsafe { std::env::set_var("CANN_STUBS_DEVICES", "2") };
//! # }
//! use aclnn::collective::{Communicator, ReduceOp};
//! use aclnn::{DType, Device, Tensor};
//!
//! let group = Communicator::init_all(&Device::all()?)?;
//! let mut gradients = Vec::new();
//! for own in &group {
//!     let mut gradient = Tensor::full(own.device(), [4], own.rank() as f32, DType::F32)?;
//!     own.all_reduce_in_place(&mut gradient, ReduceOp::Sum)?;
//!     gradients.push(gradient.div(own.size() as f32)?); // their mean
//! }
//! assert_eq!(gradients[0].to_vec::<f32>()?, gradients[1].to_vec::<f32>()?);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do ranks in several processes find each other?
//!
//! One of them makes an [`Id`](crate::collective::Id), and the others get it by any means: here a file that only its owner
//! reads. Each then [joins](crate::collective::Communicator::init) with its rank. Processes of `torchrun`, `mpirun` or `srun`
//! get their rank and the id by [`Launch`](crate::collective::Launch).
//!
//! ```
//! use std::{fs, path::Path, thread, time::Duration};
//! use aclnn::{Device, collective::{Communicator, Id}};
//!
//! fn join(rank: usize, size: usize, file: &Path) -> Result<Communicator, Box<dyn std::error::Error>> {
//!     let device = Device::open(rank as i32)?;
//!     if rank == 0 {
//!         // Complete under its name, so that nobody reads a part of it.
//!         fs::write(file.with_extension("new"), Id::new(&device)?.as_bytes())?;
//!         fs::rename(file.with_extension("new"), file)?;
//!     }
//!     while !file.exists() {
//!         thread::sleep(Duration::from_millis(10));
//!     }
//!     let communicator = Communicator::init(&device, &Id::from_bytes(&fs::read(file)?)?, rank, size)?;
//!     Ok(communicator)
//! }
//!
//! # let directory = std::env::temp_dir().join(format!("aclnn-cookbook-{}", std::process::id()));
//! # fs::create_dir_all(&directory)?;
//! let communicator = join(0, 1, &directory.join("id"))?; // a group of one rank
//! assert_eq!(communicator.size(), 1);
//! # fs::remove_dir_all(&directory)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How much memory is used, and how do I limit it?
//!
//! The memory of dropped tensors is cached for later tensors. It is [counted](crate::MemoryStatistics), and
//! [`trim`](crate::Device::trim) returns it to the device, for example for another program. A
//! [limit](crate::Device::set_memory_limit) leaves memory to other programs from the start.
//!
//! ```
//! use aclnn::{DType, Device, Tensor};
//!
//! let device = Device::open(0)?;
//! device.set_memory_limit(Some(64 << 20));
//! drop(Tensor::zeros(&device, [1 << 20], DType::F32)?);
//! let memory = device.memory_statistics();
//! println!("{memory}");
//! assert!(memory.peak_live >= 4 << 20 && memory.reserved <= 64 << 20);
//!
//! device.trim()?;
//! assert_eq!(device.memory_statistics().reserved, 0);
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # What do I do when memory runs out?
//!
//! [`Error::OutOfMemory`](crate::Error::OutOfMemory) is returned after cached memory was returned to the device, and
//! tells how much memory is held and how much is free. Every tensor is unchanged, so drop some, or work on less at a
//! time.
//!
//! ```
//! use aclnn::{DType, Device, Error, Tensor};
//!
//! /// Zeros in `count` elements, or in half as many until they fit.
//! fn as_many_as_fit(device: &Device, count: usize) -> Result<Tensor, Error> {
//!     match Tensor::zeros(device, [count], DType::F32) {
//!         Err(Error::OutOfMemory { .. }) if count > 1 => as_many_as_fit(device, count / 2),
//!         result => result,
//!     }
//! }
//!
//! let device = Device::open(0)?;
//! device.set_memory_limit(Some(6 << 20));
//! assert_eq!(as_many_as_fit(&device, 4 << 20)?.numel(), 1 << 20); // 4 MiB
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # What do I do when a stream has failed?
//!
//! Its results are [lost](crate::Error::StreamFailed), and it stays failed. Make a new stream, copy the tensors that
//! are still good to it, and repeat the work. `ACLNN_SYNC=1` waits after every operator and names the one that failed.
//!
//! ```
//! use aclnn::{Device, Error, Stream, Tensor};
//!
//! /// Twice the square, on a stream that may be lost.
//! fn attempt(input: &Tensor) -> Result<Vec<f32>, Error> {
//!     let own = input.to(&Stream::new(input.device())?)?;
//!     own.mul(&own)?.mul(2)?.to_vec()
//! }
//!
//! let device = Device::open(0)?;
//! let input = Tensor::from_slice(&device, &[1.0f32, 2.0, 3.0], [3])?;
//! # let fault = cann_stubs::control::fail("run:aclnnMul", cann_stubs::control::When::Nth(1), 507_015);
//! let result = match attempt(&input) {
//!     Err(Error::StreamFailed(_)) => attempt(&input),
//!     result => result,
//! };
//! assert_eq!(result?, [2.0, 8.0, 18.0]);
//! # let on_demand = device.backend().kind() == aclnn::BackendKind::Emulator;
//! # assert_eq!(fault.struck(), u64::from(on_demand));
//! # Ok::<(), aclnn::Error>(())
//! ```
//!
//! # How do I test that my code bears failures?
//!
//! With `cann-stubs` as a dev-dependency, a test can make any call of the emulator fail, or the work that the call
//! queues, with any code. `CANN_STUBS_FAIL` does the same for a whole program.
//!
//! ```
//! use aclnn::{Device, Error, Tensor};
//! use cann_stubs::control::{self, When};
//!
//! let device = Device::open(0)?;
//! # if device.backend().kind() != aclnn::BackendKind::Emulator {
//! #     return Ok(());
//! # }
//! let a = Tensor::from_slice(&device, &[1.0f32, 2.0], [2])?;
//! let fault = control::fail("aclnnAdds", When::Nth(1), 361_001);
//! let error = a.add(1).unwrap_err();
//! assert!(matches!(error, Error::Launch { operator: "aclnnAdds", .. }));
//! assert_eq!(fault.struck(), 1);
//! drop(fault);
//! assert_eq!(a.add(1)?.to_vec::<f32>()?, [2.0, 3.0]);
//! # Ok::<(), aclnn::Error>(())
//! ```
