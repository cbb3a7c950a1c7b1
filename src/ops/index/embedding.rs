//! Rows of a table, and their gradient.

use super::super::prepared::prepared;
use crate::argument_checks::Operation;
use crate::call::launch;
use crate::error::Result;
use crate::signatures;
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
    #[inline]
    pub fn embedding(&self, indices: &Tensor) -> Result<Tensor> {
        let operation =
            Operation::new("embedding", self.stream()).tensor("self", self).tensor("indices", indices);
        let signature = signatures::embedding;
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
#[inline]
pub fn embedding_backward<'a>(grad: &'a Tensor, indices: &'a Tensor, rows: usize) -> EmbeddingBackward<'a> {
    EmbeddingBackward { grad, indices, rows, padding: None, scales: false, stream: None }
}

prepared! {
    ['a] EmbeddingBackward<'a>:
    on("`grad`")
}

impl<'a> EmbeddingBackward<'a> {
    /// Sets a row that stays zero, whatever belongs to it.
    #[inline]
    pub fn padding(mut self, row: usize) -> Self {
        self.padding = Some(row);
        self
    }

    /// Divides what belongs to a row by how often `indices` numbers it.
    #[inline]
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
    #[inline]
    pub fn run(&self) -> Result<Tensor> {
        let Self { grad, indices, rows, .. } = *self;
        let stream = self.stream.unwrap_or(grad.stream());
        let operation =
            Operation::new("embedding_backward", stream).tensor("grad", grad).tensor("indices", indices);
        let (signature, by) = (signatures::embedding_dense_backward, "EmbeddingDenseBackward");
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

/// The way in which the rows of a bag become one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum BagMode {
    /// Their sum.
    #[default]
    Sum,
    /// Their mean.
    Mean,
    /// The greatest element of each column, the first of equal ones.
    Max,
}

impl BagMode {
    #[inline]
    fn code(self) -> i64 {
        match self {
            Self::Sum => 0,
            Self::Mean => 1,
            Self::Max => 2,
        }
    }
}

/// The results of [`EmbeddingBag::run`].
#[derive(Debug, Clone)]
pub struct EmbeddingBags {
    /// A row for each bag, of the type of the table; zeros for a bag without rows.
    pub rows: Tensor,
    /// The bag of each index, of the type of the indices as what follows.
    pub bags: Tensor,
    /// The number of rows of each bag; zeros for sums, as in PyTorch.
    pub sizes: Tensor,
    /// The index of each greatest element, if the rows are those.
    pub greatest: Option<Tensor>,
}

/// Rows of a table joined by bags, with options.
#[must_use = "nothing is launched before `run`"]
#[derive(Debug, Clone)]
pub struct EmbeddingBag<'a> {
    table: &'a Tensor,
    indices: &'a Tensor,
    starts: &'a Tensor,
    mode: BagMode,
    padding: Option<usize>,
    factors: Option<&'a Tensor>,
    stream: Option<&'a Stream>,
}

/// Prepares the rows of `table`, with two axes, that `indices` numbers, joined by bags: one row for each of them. `indices` and
/// `starts` have one axis and one type, i32 or i64; `starts` says at which index each bag begins: the first one at 0, and each at
/// or behind the one before. The table is f32, f16 or bf16; halves are added in f32. CANN does not say what the operator does:
/// the emulator computes what PyTorch does.
///
/// Nothing is launched before [`EmbeddingBag::run`].
///
/// ```
/// use aclnn::{Device, Tensor, ops};
///
/// let device = Device::open(0)?;
/// let table = Tensor::from_slice(&device, &[0.5f32, 1.0, 1.5, 2.0, 4.0, -8.0], [3, 2])?;
/// let indices = Tensor::from_slice(&device, &[2i64, 0, 1], 3)?;
/// let starts = Tensor::from_slice(&device, &[0i64, 2], 2)?;
/// let sums = ops::embedding_bag(&table, &indices, &starts).run()?;
/// assert_eq!(sums.rows.to_vec::<f32>()?, [4.5, -7.0, 1.5, 2.0]);
/// let most = ops::embedding_bag(&table, &indices, &starts).mode(ops::BagMode::Max).run()?;
/// assert_eq!(most.rows.to_vec::<f32>()?, [4.0, 1.0, 1.5, 2.0]);
/// assert_eq!((most.bags.to_vec::<i64>()?, most.sizes.to_vec::<i64>()?), (vec![0, 0, 1], vec![2, 1]));
/// # Ok::<(), aclnn::Error>(())
/// ```
#[doc(alias = "aclnnEmbeddingBag")]
#[inline]
pub fn embedding_bag<'a>(table: &'a Tensor, indices: &'a Tensor, starts: &'a Tensor) -> EmbeddingBag<'a> {
    EmbeddingBag { table, indices, starts, mode: BagMode::Sum, padding: None, factors: None, stream: None }
}

prepared! {
    ['a] EmbeddingBag<'a>:
    on("`table`")
}

impl<'a> EmbeddingBag<'a> {
    /// Sets what becomes of the rows of a bag; their sum, if it is not called.
    #[inline]
    pub fn mode(mut self, mode: BagMode) -> Self {
        self.mode = mode;
        self
    }

    /// Sets an index that is passed over.
    #[inline]
    pub fn padding(mut self, row: usize) -> Self {
        self.padding = Some(row);
        self
    }

    /// Sets a factor for the row of each index, of the type of the table; for sums alone.
    #[inline]
    pub fn factors(mut self, factors: &'a Tensor) -> Self {
        self.factors = Some(factors);
        self
    }

    /// Queues the operation and returns the rows, and what is known of the bags.
    ///
    /// # Errors
    /// [`Argument`](crate::Error::Argument), [`Devices`](crate::Error::Devices) and
    /// [`Unsupported`](crate::Error::Unsupported), all before anything is launched;
    /// [`OutOfMemory`](crate::Error::OutOfMemory); [`Launch`](crate::Error::Launch) if the library refuses. Values of indices
    /// are read when the work runs: where one does not exist, the stream reports it.
    #[inline]
    pub fn run(&self) -> Result<EmbeddingBags> {
        let Self { table, indices, starts, mode, padding, factors, .. } = *self;
        let operation = Operation::new("embedding_bag", self.stream.unwrap_or(table.stream()))
            .tensor("table", table)
            .tensor("indices", indices)
            .tensor("starts", starts);
        let operation = match factors {
            Some(factors) => operation.tensor("factors", factors),
            None => operation,
        };
        let signature = signatures::embedding_bag;
        operation.checked("EmbeddingBag", (table, signature.takes), (indices, signature.indices))?;
        let refused = |reason: &str| operation.refused(reason.to_owned());
        let (&[rows, columns], &[count], &[bags]) = (table.dims(), indices.dims(), starts.dims()) else {
            return Err(refused("the table must have two axes, and indices and starts one"));
        };
        if starts.dtype() != indices.dtype() {
            return Err(refused("indices and starts must have one type; cast one of them first"));
        }
        let fits = |factors: &Tensor| factors.dims() == [count] && factors.dtype() == table.dtype();
        if factors.is_some_and(|factors| mode != BagMode::Sum || !fits(factors)) {
            return Err(refused("factors are for sums, of the type of the table, one for each index"));
        }
        if padding.is_some_and(|row| row >= rows) {
            return Err(refused("the padding is no row of the table"));
        }
        let out = operation.empty([bags, columns], table.dtype())?;
        let [of_index, sizes] = [count, bags].map(|size| operation.empty([size], indices.dtype()));
        let (of_index, sizes) = (of_index?, sizes?);
        let greatest = match mode {
            BagMode::Max => operation.empty([bags, columns], indices.dtype())?,
            _ => operation.empty([bags], indices.dtype())?,
        };
        launch::EmbeddingBag(
            operation.stream.into(),
            table,
            indices,
            starts,
            false,
            mode.code(),
            false,
            factors,
            false,
            padding.map_or(-1, |row| row as i64),
            &out,
            &of_index,
            &sizes,
            &greatest,
        )?;
        let greatest = (mode == BagMode::Max).then_some(greatest);
        Ok(EmbeddingBags { rows: out, bags: of_index, sizes, greatest })
    }
}
