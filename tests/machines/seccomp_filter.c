/* Writes to stdout the seccomp filter of an ordinary container, as `bwrap --seccomp`
 * reads it: an array of struct sock_filter. It refuses what Docker's default profile
 * refuses to a container without CAP_SYS_ADMIN. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define NATIVE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE AUDIT_ARCH_AARCH64
#else
#error "the audit architecture of this processor is not listed"
#endif

/* CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET */
#define CLONE_NAMESPACES 0x7e020000U

#define LOAD(field)                                                                      \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define REFUSE(number) RETURN(SECCOMP_RET_ERRNO | (number))
#define SKIP_UNLESS(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (count))

static const int refused[] = {
    __NR_acct,
    __NR_add_key,
    __NR_bpf,
    __NR_clock_adjtime,
    __NR_clock_settime,
    __NR_delete_module,
    __NR_fanotify_init,
    __NR_finit_module,
    __NR_fsconfig,
    __NR_fsmount,
    __NR_fsopen,
    __NR_fspick,
    __NR_get_mempolicy,
    __NR_init_module,
    __NR_io_uring_setup,
    __NR_io_uring_enter,
    __NR_io_uring_register,
    __NR_kcmp,
    __NR_kexec_load,
    __NR_keyctl,
    __NR_lookup_dcookie,
    __NR_mbind,
    __NR_mount,
    __NR_move_mount,
    __NR_move_pages,
    __NR_migrate_pages,
    __NR_nfsservctl,
    __NR_open_by_handle_at,
    __NR_open_tree,
    __NR_perf_event_open,
    __NR_pivot_root,
    __NR_quotactl,
    __NR_reboot,
    __NR_request_key,
    __NR_setdomainname,
    __NR_set_mempolicy,
    __NR_sethostname,
    __NR_setns,
    __NR_settimeofday,
    __NR_swapoff,
    __NR_swapon,
    __NR_syslog,
    __NR_umount2,
    __NR_unshare,
    __NR_userfaultfd,
    __NR_vhangup,
#if defined(__x86_64__)
    __NR__sysctl,
    __NR_ioperm,
    __NR_iopl,
    __NR_kexec_file_load,
    __NR_sysfs,
    __NR_uselib,
    __NR_ustat,
#endif
#if defined(__NR_mount_setattr)
    __NR_mount_setattr,
#endif
};

int main(void)
{
    const struct sock_filter start[] = {
        LOAD(arch),
        SKIP_UNLESS(NATIVE, 1),
        BPF_STMT(BPF_JMP | BPF_JA, 1),
        REFUSE(EPERM),
        LOAD(nr),
        SKIP_UNLESS(__NR_clone3, 1),
        REFUSE(ENOSYS),
        SKIP_UNLESS(__NR_clone, 4),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NAMESPACES, 0, 1),
        REFUSE(EPERM),
        LOAD(nr),
    };
    fwrite(start, sizeof start, 1, stdout);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const struct sock_filter rule[] = {SKIP_UNLESS((unsigned)refused[i], 1),
                                           REFUSE(EPERM)};
        fwrite(rule, sizeof rule, 1, stdout);
    }
    const struct sock_filter end[] = {RETURN(SECCOMP_RET_ALLOW)};
    fwrite(end, sizeof end, 1, stdout);
    return fflush(stdout) == 0 ? 0 : 1;
}
