//! The versions of packages, and what CANN can do, as the runtime tells.

use std::collections::BTreeMap;
use std::ffi::c_char;

use aclnn::sys::{
    ACL_CANN_ATTR_BF16, ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_JIT_COMPILE, ACL_ERROR_INVALID_FILE,
    ACL_PKG_NAME_CANN, ACL_PKG_NAME_COMPILER, ACL_PKG_NAME_DRIVER, ACL_PKG_NAME_HCCL, ACL_PKG_NAME_OPP,
    ACL_PKG_NAME_OPP_KERNEL, ACL_PKG_NAME_RUNTIME, ACL_PKG_NAME_TOOLKIT, ACL_SUCCESS, MissingSymbol, Runtime,
    aclCANNPackageName, aclCANNPackageVersion, aclCannAttr, aclError,
};

use super::missing_functions::{absent, code};

const PACKAGES: [(&str, aclCANNPackageName); 8] = [
    ("cann", ACL_PKG_NAME_CANN),
    ("runtime", ACL_PKG_NAME_RUNTIME),
    ("compiler", ACL_PKG_NAME_COMPILER),
    ("hccl", ACL_PKG_NAME_HCCL),
    ("toolkit", ACL_PKG_NAME_TOOLKIT),
    ("opp", ACL_PKG_NAME_OPP),
    ("opp_kernel", ACL_PKG_NAME_OPP_KERNEL),
    ("driver", ACL_PKG_NAME_DRIVER),
];

const ATTRIBUTES: [(&str, aclCannAttr); 3] = [
    ("INF_NAN", ACL_CANN_ATTR_INF_NAN),
    ("BF16", ACL_CANN_ATTR_BF16),
    ("JIT_COMPILE", ACL_CANN_ATTR_JIT_COMPILE),
];

/// Returns the versions by package, or why they are not known.
pub(super) fn of(runtime: &Runtime) -> BTreeMap<String, String> {
    let mut versions = BTreeMap::from([("interface".to_owned(), interface(runtime))]);
    versions.extend(PACKAGES.map(|(name, package)| (name.to_owned(), package_version(runtime, package))));
    if let Some(text) = version_text(runtime) {
        versions.insert("runtime".to_owned(), text);
    }
    versions.insert("firmware".to_owned(), "the API has no function for it".to_owned());
    versions
}

/// Returns the version of the interface of the runtime, and the releases that have it.
fn interface(runtime: &Runtime) -> String {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: valid places.
    let code = unsafe { runtime.aclrtGetVersion(&mut major, &mut minor, &mut patch) };
    if let Some(why) = refused(&code) {
        return why;
    }
    let release = match (major, minor) {
        (1, 15) => " (8.5.0-beta.1)",
        (1, 16) => " (CANN 8.5.0)",
        (1, 17) => " (CANN 9.0 and later)",
        _ => "",
    };
    format!("{major}.{minor}.{patch}{release}")
}

fn package_version(runtime: &Runtime, package: aclCANNPackageName) -> String {
    let mut version = aclCANNPackageVersion {
        version: [0; 128],
        majorVersion: [0; 64],
        minorVersion: [0; 64],
        releaseVersion: [0; 64],
        patchVersion: [0; 64],
        reserved: [0; 128],
    };
    // SAFETY: a valid place.
    let code = unsafe { runtime.aclsysGetCANNVersion(package, &mut version) };
    match code {
        Ok(ACL_ERROR_INVALID_FILE) => "not installed, or without its version file".to_owned(),
        code => refused(&code).unwrap_or_else(|| text(&version.version)),
    }
}

/// Returns the whole version of the runtime, which also tells the emulator.
fn version_text(runtime: &Runtime) -> Option<String> {
    let mut package = *b"runtime\0";
    let mut version = [0 as c_char; 256];
    let name = package.as_mut_ptr().cast();
    // SAFETY: a text that ends with a zero byte, and a place for twice the bytes that are asked for.
    let code = unsafe { runtime.aclsysGetVersionStr(name, version.as_mut_ptr()) };
    let version = text(&version);
    (code == Ok(ACL_SUCCESS) && !version.is_empty()).then_some(version)
}

/// Returns which attributes CANN has.
pub(super) fn capabilities(runtime: &Runtime) -> BTreeMap<String, bool> {
    let value = |attribute| {
        let mut value = 0;
        // SAFETY: a valid place.
        let code = unsafe { runtime.aclGetCannAttribute(attribute, &mut value) };
        (code == Ok(ACL_SUCCESS)).then_some(value != 0)
    };
    ATTRIBUTES
        .into_iter()
        .filter_map(|(name, attribute)| Some((name.to_owned(), value(attribute)?)))
        .collect()
}

/// Returns why a function told nothing, unless it did.
fn refused(answer: &Result<aclError, MissingSymbol>) -> Option<String> {
    match answer {
        Ok(ACL_SUCCESS) => None,
        Ok(refused) => Some(code(*refused)),
        Err(missing) => Some(absent(missing)),
    }
}

/// Returns the text before the first zero byte.
fn text(bytes: &[c_char]) -> String {
    let bytes: Vec<u8> = bytes.iter().map(|&byte| byte as u8).take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}
