//! Records where a CANN toolkit stands on the machine that builds, as the last place to look for one at run time.
//! Nothing is linked and nothing is downloaded.

use std::{env, path::PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let named = ["ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"].into_iter().filter_map(|name| {
        println!("cargo::rerun-if-env-changed={name}");
        env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
    });
    let named: Vec<PathBuf> = named.collect();
    let default = ["/usr/local/Ascend/cann", "/usr/local/Ascend/ascend-toolkit/latest"].map(PathBuf::from);
    if let Some(root) = named.into_iter().chain(default).find(|root| root.is_dir()) {
        println!("cargo::rustc-env=ACLNN_RECORDED_CANN={}", root.display());
    }
}
