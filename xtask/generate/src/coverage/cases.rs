//! What tests an operator: the files of golden cases, which `xtask/golden/cases.py` writes, and other golden vectors.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use aclnn_numerics::DType;
use aclnn_sys::operators::OperatorInfo;
use anyhow::{Context, Result, bail};

/// What calls an operator in tests.
#[derive(Default)]
pub(super) struct Tested {
    /// The types of the first tensor of calls that succeed, in the order of CANN's numbers.
    pub(super) dtypes: Vec<DType>,
    /// How many calls succeed, and how many are refused.
    pub(super) calls: [usize; 2],
    /// What the types are, where no file lists calls.
    pub(super) told: &'static str,
    /// What made the expectations.
    pub(super) references: String,
}

/// Families with golden vectors of another form: what they hold, and what made them.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    ("arithmetic", "every pair of 16 types, scalars, alpha", "NumPy, ml_dtypes"),
    ("conversion", "every pair", "NumPy, ml_dtypes"),
    ("fill", "every type", "written out"),
    ("range", "every type", "OpenVINO, worked examples"),
];

/// What tests an operator of such a family.
pub(super) fn tested_elsewhere(operator: &OperatorInfo) -> Option<Tested> {
    let (_, told, references) = ELSEWHERE.iter().find(|(family, ..)| *family == operator.family())?;
    Some(Tested { told, references: (*references).to_owned(), ..Tested::default() })
}

/// Reads every file of cases.
pub(super) fn tested(root: &Path) -> Result<BTreeMap<String, Tested>> {
    let mut all: BTreeMap<String, Tested> = BTreeMap::new();
    for file in fs::read_dir(root.join("cann-stubs/tests/data"))? {
        let path = file?.path();
        if path.extension().is_none_or(|extension| extension != "cases") {
            continue;
        }
        let references = references(root, &path)?;
        let mut bytes = Vec::new();
        flate2::read::ZlibDecoder::new(fs::File::open(&path)?).read_to_end(&mut bytes)?;
        let mut file = Cases(&bytes);
        while !file.0.is_empty() {
            let call = file.call().with_context(|| format!("reading {}", path.display()))?;
            let tested = all.entry(call.operator).or_default();
            tested.references.clone_from(&references);
            tested.calls[usize::from(call.is_refused)] += 1;
            let new = call.dtype.filter(|dtype| !call.is_refused && !tested.dtypes.contains(dtype));
            tested.dtypes.extend(new);
        }
    }
    for tested in all.values_mut() {
        tested.dtypes.sort_by_key(|dtype| dtype.acl_code());
    }
    Ok(all)
}

/// What made the expectations of a file, as its script says in a line of its own.
fn references(root: &Path, cases: &Path) -> Result<String> {
    let name = cases.with_extension("py");
    let script = root.join("xtask/golden").join(name.file_name().context("a file has a name")?);
    let text = fs::read_to_string(&script).with_context(|| format!("reading {}", script.display()))?;
    let line = text.lines().find_map(|line| line.strip_prefix("References: "));
    let line = line.with_context(|| format!("{} has no line `References: …`", script.display()))?;
    Ok(line.trim_end_matches('.').to_owned())
}

/// A file of cases, read from front to back.
struct Cases<'a>(&'a [u8]);

/// A call, as far as it matters here.
struct Call {
    operator: String,
    is_refused: bool,
    /// The type of the first tensor whose type the operator computes.
    dtype: Option<DType>,
}

/// Operators whose first tensor only says what is chosen, or has a type of its own.
const CHOOSES: &[&str] = &["FusedLinearCrossEntropyLossGrad", "OneHot", "SWhere"];

impl Cases<'_> {
    fn bytes(&mut self, count: usize) -> Result<&[u8]> {
        let (bytes, rest) = self.0.split_at_checked(count).context("a file of cases ends early")?;
        self.0 = rest;
        Ok(bytes)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.bytes(1)?[0])
    }

    /// Skips so many values of `size` bytes as a byte tells.
    fn counted(&mut self, size: usize) -> Result<&[u8]> {
        let count = usize::from(self.byte()?);
        self.bytes(count * size)
    }

    fn call(&mut self) -> Result<Call> {
        let operator = String::from_utf8(self.counted(1)?.to_vec())?;
        self.counted(1)?;
        let is_refused = self.bytes(4)?.iter().any(|byte| *byte != 0);
        let mut dtypes = Vec::new();
        for _ in 0..self.byte()? {
            dtypes.extend(self.argument()?);
        }
        let number = usize::from(CHOOSES.contains(&operator.as_str()));
        Ok(Call { operator, is_refused, dtype: dtypes.get(number).copied() })
    }

    /// Skips an argument. Returns the type of a tensor.
    fn argument(&mut self) -> Result<Option<DType>> {
        match self.byte()? {
            b'T' => self.tensor(0, 1).map(Some),
            b'O' => self.tensor(4, 1).map(Some),
            b'R' => self.tensor(4, 2).map(Some),
            b'V' => {
                self.counted(8)?;
                self.tensor(0, 1).map(Some)
            }
            b'M' | b'C' => {
                let mut first = None;
                for _ in 0..self.byte()? {
                    let tensor = self.argument()?;
                    first = first.or(tensor);
                }
                Ok(first)
            }
            b'S' => {
                let dtype = self.dtype()?;
                self.bytes(dtype.bits() / 8).map(|_| None)
            }
            b'L' => self.counted(8).map(|_| None),
            b'G' => self.counted(4).map(|_| None),
            b'H' | b'X' => self.counted(1).map(|_| None),
            b'I' | b'F' => self.bytes(8).map(|_| None),
            b'D' | b'B' => self.bytes(1).map(|_| None),
            b'N' => Ok(None),
            // Behind a storage format.
            b'Y' => {
                self.bytes(4)?;
                self.argument()
            }
            other => bail!("no argument begins with {other}"),
        }
    }

    fn dtype(&mut self) -> Result<DType> {
        let code = self.byte()?;
        DType::from_acl_code(code.into()).with_context(|| format!("{code} is no element type"))
    }

    /// Skips type, sizes, so many bytes, and the elements so many times.
    fn tensor(&mut self, between: usize, times: usize) -> Result<DType> {
        let dtype = self.dtype()?;
        let sizes = self.counted(8)?.chunks(8);
        let sizes = sizes.map(|size| size.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte)));
        let numel: usize = sizes.product();
        self.bytes(between)?;
        self.bytes(dtype.bits() / 8 * numel * times)?;
        Ok(dtype)
    }
}
