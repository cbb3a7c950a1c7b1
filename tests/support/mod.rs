//! What several tests need.

#![allow(dead_code, reason = "not every test needs everything")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use aclnn::product::Product;
use aclnn::sys::{ACL_MEM_LOCATION_TYPE_DEVICE, aclrtMemLocation, aclrtPtrAttributes};
use aclnn::{Backend, BackendKind, DType, Device, Error, HostBuffer, Stream, Tensor, ops};
use ops::Precision;

/// Says that the calling test, or the rest of it, does not apply to what serves. `cargo xtask suite` counts it as skipped
/// and not as passed.
pub(crate) fn skipped(why: &str) {
    let program = std::env::current_exe().unwrap_or_default();
    let program = program.file_stem().unwrap_or_default().to_string_lossy();
    let program = program.rsplit_once('-').map_or(&*program, |(name, _)| name);
    let test = std::thread::current();
    // Not by a macro, whose output the harness keeps to itself when a test passes.
    let _ = writeln!(std::io::stderr(), "skipped: {program}::{}: {why}", test.name().unwrap_or("?"));
}

/// Whether a product serves to which a part of the calling test, or the rest of it, does not apply.
pub(crate) fn skips_on(device: &Device, product: Product, why: &str) -> bool {
    let serves = device.product() == Some(product);
    if serves {
        skipped(why);
    }
    serves
}

/// Whether a call fails since an Ascend310P serves, which lacks the operator or a type of it. No other product is excused.
pub(crate) fn is_missing<T>(device: &Device, result: &Result<T, Error>) -> bool {
    device.product() == Some(Product::Ascend310P) && matches!(result, Err(Error::Unsupported { .. }))
}

/// Whether the product has bf16. Elsewhere that part of the calling test is skipped.
pub(crate) fn has_bf16(device: &Device) -> bool {
    !skips_on(device, Product::Ascend310P, "it has no bf16")
}

/// The type of halves that is bf16 where the product has it.
pub(crate) fn halves(device: &Device) -> DType {
    if device.product() == Some(Product::Ascend310P) { DType::F16 } else { DType::BF16 }
}

/// The widest floats of which the product multiplies matrices.
pub(crate) fn multiplied(device: &Device) -> DType {
    if device.product() == Some(Product::Ascend310P) { DType::F16 } else { DType::F32 }
}

/// The precision in which the product multiplies matrices of f32. Numbers that f16 has lose nothing in any.
pub(crate) fn precision(device: &Device) -> Precision {
    if device.product() == Some(Product::Ascend310P) { Precision::F16 } else { Precision::Keep }
}

/// Whether the embedded emulator serves, which fails and counts on demand. Elsewhere the calling test is skipped.
pub(crate) fn is_embedded() -> Result<bool, Error> {
    let embedded = Backend::get()?.kind() == BackendKind::Emulator;
    if !embedded {
        skipped("only the embedded emulator fails and counts on demand");
    }
    Ok(embedded)
}

/// Whether there are two devices, or the emulator, which has as many as its settings say. Elsewhere the calling test is
/// skipped.
pub(crate) fn has_two_devices() -> Result<bool, Error> {
    let two = Backend::get()?.kind() != BackendKind::Cann || Device::count()? > 1;
    if !two {
        skipped("there is one device alone");
    }
    Ok(two)
}

/// Whether the emulator serves, whose settings decide what the devices are. On a device the calling test is skipped.
pub(crate) fn is_emulated() -> Result<bool, Error> {
    let emulated = Backend::get()?.kind() != BackendKind::Cann;
    if !emulated {
        skipped("only the emulator is what its settings say");
    }
    Ok(emulated)
}

/// Returns a command that runs one test of this program alone, in a process that knows from `ACLNN_TEST_CHILD` what it is.
/// The test is named in `module`, which is `module_path!()` there.
pub(crate) fn alone(module: &str, test: &str) -> Command {
    let test = module.split_once("::").map_or(test.to_owned(), |(_, module)| format!("{module}::{test}"));
    let mut command = Command::new(std::env::current_exe().unwrap_or_default());
    command.args(["--exact", &test]).env("ACLNN_TEST_CHILD", "1");
    command
}

/// Whether this is the process of one test alone. If not, the test has run in one for each set of variables.
pub(crate) fn is_alone<'a, S: AsRef<[(&'a str, &'a str)]>>(
    module: &str,
    test: &str,
    sets: &[S],
) -> std::io::Result<bool> {
    if std::env::var_os("ACLNN_TEST_CHILD").is_some() {
        return Ok(true);
    }
    for variables in sets.iter().map(AsRef::as_ref) {
        let output = alone(module, test).envs(variables.iter().copied()).output()?;
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && out.contains("1 passed"), "{variables:?}: {out}{err}");
        for line in err.lines().filter(|line| line.starts_with("skipped: ")) {
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }
    Ok(false)
}

/// The directory of the repository.
pub(crate) fn root() -> &'static Path {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests)
}

/// The source files in a directory of the repository, and in those in it.
pub(crate) fn sources(directory: &str) -> std::io::Result<Vec<PathBuf>> {
    let (mut found, mut directories) = (Vec::new(), vec![root().join(directory)]);
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory)? {
            let path = entry?.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                found.push(path);
            }
        }
    }
    Ok(found)
}

/// The source of an error, which is a `T` whose message the error repeats.
pub(crate) fn cause<T: std::error::Error + 'static>(error: &dyn std::error::Error) -> &T {
    let source = error.source().unwrap_or_else(|| unreachable!("{error} has no source"));
    assert!(error.to_string().contains(&source.to_string()), "{error} does not tell {source}");
    source.downcast_ref().unwrap_or_else(|| unreachable!("{source:?} is of another type"))
}

/// A bit of everything that a program does with the first of two devices. Every buffer lies where it belongs, and every
/// value is right.
pub(crate) fn use_of_the_first_of_two_devices() -> Result<(), Error> {
    let devices = Device::all()?;
    let [device, other] = &devices[..] else { unreachable!("{devices:?}") };
    let on = |device: &Device, tensor: Tensor| {
        assert_eq!(device_of(&tensor), Some(device.id().cast_unsigned()), "{tensor:?}");
        tensor
    };
    device.trim()?;
    let (first, second) = (Stream::new(device)?, Stream::new(device)?);
    let a = on(device, Tensor::from_slice(&first, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?);
    let b = on(device, Tensor::full(&second, [3], 2, DType::F16)?);
    let sum = on(device, ops::add(&a, &b).on(&second).run()?);
    assert_eq!(sum.to_vec::<f32>()?, [3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    // A segment of its own.
    let large = on(device, Tensor::ones(&first, [6 << 20], DType::F32)?);
    assert_eq!(large.slice(0, 5..7)?.to_vec::<f32>()?, [1.0; 2]);

    let mut turned = on(device, a.transpose(0, 1)?.copy()?);
    assert_eq!(turned.to_vec::<f32>()?, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    turned.copy_from_slice(&[0.5f32; 6])?;
    let before = second.record()?;
    let buffer = turned.upload_on(&second, HostBuffer::from_slice(device, &[7.5f32; 6])?)?;
    let after = second.record()?;
    first.wait(&after)?;
    let buffer = ops::add(&turned, 1).on(&first).run()?.download(buffer.wait()?)?.wait()?;
    assert_eq!(*buffer, [8.5; 6]);
    after.elapsed_since(&before)?;
    let moved = on(other, sum.to(other)?);
    assert_eq!(moved.add(1)?.to_vec::<f32>()?, [4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    drop((a, b, sum, large, turned));
    device.synchronize()?;
    device.trim()
}

/// The device whose memory holds a tensor.
fn device_of(tensor: &Tensor) -> Option<u32> {
    let location = aclrtMemLocation { id: 0, type_: ACL_MEM_LOCATION_TYPE_DEVICE };
    let mut attributes = aclrtPtrAttributes { location, pageSize: 0, rsv: [0; 4] };
    let runtime = tensor.device().backend().runtime();
    // SAFETY: an address of the runtime and a valid place.
    let code = unsafe { runtime.aclrtPointerGetAttributes(tensor.as_raw(), &mut attributes) };
    let aclrtMemLocation { id, type_ } = attributes.location;
    (code == Ok(0) && type_ == ACL_MEM_LOCATION_TYPE_DEVICE).then_some(id)
}

/// The directory of the drop-in libraries, built once for a file of tests.
pub(crate) fn toolkit() -> &'static Path {
    static TOOLKIT: LazyLock<PathBuf> = LazyLock::new(|| {
        let toolkit = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("toolkit");
        let mut build = Command::new(env!("CARGO"));
        // As all tests are built: what the library needs is there already.
        build
            .args(["run", "--quiet", "--package", "xtask", "--", "toolkit", "--debug", "--out"])
            .arg(&toolkit);
        build.current_dir(root());
        let built = build.output().is_ok_and(|output| output.status.success());
        assert!(built, "the drop-in libraries were not built");
        toolkit
    });
    &TOOLKIT
}

/// A program of the folder `examples`, built beforehand with the tests, without settings from outside.
pub(crate) fn example(name: &str) -> Command {
    let tests = std::env::current_exe().unwrap_or_default();
    let target = tests.ancestors().nth(2).unwrap_or(&tests);
    let mut command = Command::new(target.join("examples").join(name));
    for (variable, _) in std::env::vars_os() {
        let name = variable.to_string_lossy();
        if name.starts_with("ACLNN_") || name.starts_with("CANN_STUBS_") || name == "RUST_BACKTRACE" {
            command.env_remove(&variable);
        }
    }
    command
}

/// Runs an example and compares what it prints with the comment at the end of its source, in which `…` stands for any
/// rest of a line.
pub(crate) fn prints_its_output(source: &Path, command: &mut Command) {
    let name = source.display();
    let output = command.output().unwrap_or_else(|error| {
        unreachable!("{name} does not start, build it with `cargo build --examples`: {error}")
    });
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.is_empty(), "{name}: {told}");
    let printed = String::from_utf8_lossy(&output.stdout);
    let source = std::fs::read_to_string(source).unwrap_or_default();
    let (_, expected) = source.split_once("\n// Output:\n").unwrap_or_default();
    let expected: Vec<_> =
        expected.lines().map(|line| line.trim_start_matches("//").strip_prefix(' ').unwrap_or("")).collect();
    let same = |(printed, expected): (&str, &&str)| match expected.split_once('…') {
        Some((start, "")) => printed.starts_with(start),
        _ => printed == *expected,
    };
    let all = printed.lines().count() == expected.len() && printed.lines().zip(&expected).all(same);
    assert!(!expected.is_empty() && all, "{name} prints\n{printed}\nand says\n{}", expected.join("\n"));
}
