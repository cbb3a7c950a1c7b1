# Lets programs of this shell use the libraries beside this file in place of CANN: source it.

if [ -n "${BASH_SOURCE:-}" ]; then
    cann_stubs_home=$(dirname "$(readlink -f "$BASH_SOURCE")")
else
    # Other shells do not tell which file they read, but they hold it open.
    cann_stubs_home=
    read -r cann_stubs_shell cann_stubs_rest < /proc/self/stat
    for cann_stubs_file in "/proc/$cann_stubs_shell/fd/"*; do
        cann_stubs_file=$(readlink "$cann_stubs_file") || continue
        if [ -e "${cann_stubs_file%/*}/lib64/libcann_stubs.so" ]; then
            cann_stubs_home=${cann_stubs_file%/*}
        fi
    done
    unset cann_stubs_shell cann_stubs_rest cann_stubs_file
fi

if [ -n "$cann_stubs_home" ]; then
    ASCEND_HOME_PATH=$cann_stubs_home
    ASCEND_TOOLKIT_HOME=$ASCEND_HOME_PATH
    ASCEND_AICPU_PATH=$ASCEND_HOME_PATH
    ASCEND_OPP_PATH=$ASCEND_HOME_PATH/opp
    export ASCEND_HOME_PATH ASCEND_TOOLKIT_HOME ASCEND_AICPU_PATH ASCEND_OPP_PATH

    case ":${LD_LIBRARY_PATH:-}:" in
        *":$ASCEND_HOME_PATH/lib64:"*) ;;
        *) LD_LIBRARY_PATH=$ASCEND_HOME_PATH/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ;;
    esac
    export LD_LIBRARY_PATH
else
    echo "set_env.sh: this shell does not tell where the file lies; source it with bash" >&2
fi
unset cann_stubs_home
