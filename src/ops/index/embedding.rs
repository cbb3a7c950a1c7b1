//! Rows of a table, and their gradient.

use super::super::prepared::prepared;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::declared;
use crate::error::Result;
use crate::stream::Stream;
use crate::tensor::Tensor;

impl Tensor {
    /// Returns the rows of this tensor, a table with two axes, that `indices` numbers: a tensor with the axes of `indices` and
    /// then that of the columns. `indices` is i32 or i64; [negative indices](crate::ops#indices) are not taken.
    ///
    /// ```
    /// use aclnn::{Device, Tensor};
    ///
    /// let device = Device::open(0)?;
    /// let table = Tensor::from_slice(&device, &[0.5f32, 1.0, 1.5, 2.0], [2, 2])?;
    /// let rows = table.embedding(&Tensor::from_slice(&device, &[1i64, 0, 1], 3)?)?;
    /// assert_eq!((rows.dims(), rows.to_vec::<f32>()?), (&[3, 2][..], vec![1.5, 2.0, 0.5, 1.0, 1.5, 2.0]));
    /// # Ok::<(), aclnn::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Tensor::index_select`], but for the axis.
    #[doc(alias = "aclnnEmbedding")]
    pub fn embedding(&self, indices: &Tensor) -> Result<Tensor> {
        let operation =
            Operation::new("embedding", self.stream()).tensor("self", self).tensor("indices", indices);
        let signature = declared::embedding;
        operation.checked("Embedding", (self, signature.takes), (indices, signature.indices))?;
        let [_, columns] = *self.dims() else {
            return Err(operation.refused(format!("self has {} axes, but a table has two", self.rank())));
        };
        let made = [indices.dims(), &[columns]].concat();
        let out = operation.empty(&made[..], self.dtype())?;
        operation.ranks_of(&out)?;
        launch::Embedding(operation.stream.into(), self, indices, &out)?;
        Ok(out)
    }
}

/// The gradient of the table of an embedding, with options.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct EmbeddingBackward<'a> {
    grad: &'a Tensor,
    indices: &'a Tensor,
    rows: usize,
    padding: Option<usize>,
    scales: bool,
    stream: Option<&'a Stream>,
}

/// Prepares the gradient of a table of `rows` rows, of which [`Tensor::embedding`] returned those that `indices` numbers: each
/// row is the sum of the rows of `grad` that belong to it. `grad` has the axes of `indices` and then that of the columns, and
/// is f32, f16 or bf16; halves are added in f32.
///
/// Nothing is launched before [`EmbeddingBackward::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let grad = Tensor::from_slice(&device, &[1.0f32, 2.0, 4.0], [3, 1])?;
/// let indices = Tensor::from_slice(&device, &[2i64, 0, 2], 3)?;
/// assert_eq!(ops::embedding_backward(&grad, &indices, 3).run()?.to_vec::<f32>()?, [2.0, 0.0, 5.0]);
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnEmbeddingDenseBackward")]
pub fn embedding_backward<'a>(grad: &'a Tensor, indices: &'a Tensor, rows: usize) -> EmbeddingBackward<'a> {
    EmbeddingBackward { grad, indices, rows, padding: None, scales: false, stream: None }
}

prepared! {
    ['a] EmbeddingBackward<'a>:
    on("`grad`")
}

impl<'a> EmbeddingBackward<'a> {
    /// Sets a row that stays zero, whatever belongs to it.
    pub fn padding(mut self, row: usize) -> Self {
        self.padding = Some(row);
        self
    }

    /// Divides what belongs to a row by how often `indices` numbers it.
    pub fn scale_by_frequency(mut self) -> Self {
        self.scales = true;
        self
    }

    /// Queues the operation and returns the gradient, a tensor of the type of `grad`.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Devices`](crate::Error::Devices), [`Rank`](crate::Error::Rank) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses.
    pub fn run(&self) -> Result<Tensor> {
        let Self { grad, indices, rows, .. } = *self;
        let stream = self.stream.unwrap_or(grad.stream());
        let operation =
            Operation::new("embedding_backward", stream).tensor("grad", grad).tensor("indices", indices);
        let (signature, by) = (declared::embedding_dense_backward, "EmbeddingDenseBackward");
        operation.checked(by, (grad, signature.takes), (indices, signature.indices))?;
        let columns = match grad.dims().split_last() {
            Some((columns, leading)) if leading == indices.dims() => *columns,
            _ => {
                let (given, axes) = (grad.shape(), indices.shape());
                let reason =
                    format!("grad has shape {given}, but needs the axes of indices, {axes}, and one more");
                return Err(operation.refused(reason));
            }
        };
        // The library counts rows in i32.
        let Ok(count) = i32::try_from(rows) else {
            return Err(operation.refused(format!("{rows} rows are more than an i32 can number")));
        };
        let out = operation.empty([rows, columns], grad.dtype())?;
        let padding = self.padding.map_or(u64::MAX, |row| row as u64);
        launch::EmbeddingDenseBackward(
            stream.into(),
            grad,
            indices,
            u64::from(count.unsigned_abs()),
            padding,
            self.scales,
            &out,
        )?;
        Ok(out)
    }
}
