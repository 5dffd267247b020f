#include "hooks/dlsym.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#include "base/count_of.h"
#include "hooks/dlsym_hooks.h"
#include "hooks/link_map.h"
#include "hooks/swaps.h"

/* Objects of glibc that may define dlsym(). Since glibc 2.34, libc defines it. */
static const char *const libc_objects[] = {"libc.so.6", "libdl.so.2"};

static dj_dlsym_function *libc_dlsym;

/* The next dlsym() after this object: either the hook of another preloaded object, or
 * the C library's function. The assembly below reads this variable. */
__attribute__((used, visibility("hidden"))) dj_dlsym_function *dj_dlsym_target;

dj_dlsym_function *dj_dlsym_of_libc(void)
{
    for (size_t i = 0; libc_dlsym == NULL && i < COUNT_OF(libc_objects); i++) {
        libc_dlsym = (dj_dlsym_function *)dj_link_map_find(libc_objects[i], "dlsym");
    }
    return libc_dlsym;
}

static dj_dlsym_function *get_next_dlsym(void)
{
    if (dj_dlsym_target == NULL) {
        dj_dlsym_target = (dj_dlsym_function *)dj_link_map_next("dlsym");
    }
    return dj_dlsym_target;
}

void dj_dlsym_load(void)
{
    dj_dlsym_of_libc();
    get_next_dlsym();
}

void *dj_dlsym_find_next(const char *name)
{
    /* RTLD_NEXT in a call from this object means the objects after this one. */
    return dj_dlsym_of_libc()(RTLD_NEXT, name);
}

/* The result of a look-up. It has two words, which both ABIs below return in
 * registers. */
struct lookup_result {
    void *symbol;
    uintptr_t is_final; /* If 0, the look-up continues in the next dlsym(). */
};

/* Returns the hook for a look-up. The assembly below calls it first. Never returns a hook
 * for a look-up with RTLD_NEXT, because another preloaded object uses RTLD_NEXT to find
 * the function after its own. */
__attribute__((used, visibility("hidden"))) struct lookup_result
dj_dlsym_find_hook(void *handle, const char *name, const void *caller);

struct lookup_result dj_dlsym_find_hook(void *handle, const char *name,
                                        const void *caller)
{
    dj_dlsym_function *next = get_next_dlsym();
    if (handle == RTLD_NEXT || name == NULL) {
        return (struct lookup_result){NULL, 0};
    }
    bool is_swap = dj_swap_is_hooked(name);
    int index = is_swap ? -1 : dj_dlsym_hooks_find(name);
    if (!is_swap && index < 0) {
        return (struct lookup_result){NULL, 0};
    }
    void *symbol = next(handle, name);
    if (symbol == NULL) {
        return (struct lookup_result){NULL, 0};
    }
    /* If there is no real function, the result NULL is final. A program may use the
     * look-up to test whether GL exists, and must not find a hook without GL. */
    symbol = is_swap ? dj_swap_wrapper(name, symbol, caller)
                     : dj_dlsym_hooks_get(index, symbol, caller);
    if (symbol == NULL) {
        /* Look the name up again. This fails, so that dlerror() reports an error. */
        dj_dlsym_find_next(name);
    }
    return (struct lookup_result){symbol, 1};
}

/* dlsym() must end with a jump. The C library uses the return address of dlsym() to
 * find the object to which RTLD_NEXT and RTLD_DEFAULT refer, so the return address
 * must remain that of the caller. No C compiler guarantees a jump at every
 * optimization level, therefore this is assembly. */
#if defined(__x86_64__)
__asm__(".pushsection .text\n"
        ".globl dlsym\n"
        ".type dlsym, @function\n"
        "dlsym:\n"
        ".cfi_startproc\n"
        "    endbr64\n"
        "    movq (%rsp), %rdx\n"
        "    pushq %rdi\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    pushq %rsi\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    subq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    call dj_dlsym_find_hook\n"
        "    addq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %rsi\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    popq %rdi\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    testq %rdx, %rdx\n"
        "    jnz 1f\n"
        "    movq dj_dlsym_target(%rip), %rax\n"
        "    jmp *%rax\n"
        "1:  ret\n"
        ".cfi_endproc\n"
        ".size dlsym, . - dlsym\n"
        ".popsection\n");
#elif defined(__aarch64__)
__asm__(".pushsection .text\n"
        ".globl dlsym\n"
        ".type dlsym, %function\n"
        "dlsym:\n"
        ".cfi_startproc\n"
        "    stp x29, x30, [sp, #-32]!\n"
        "    .cfi_adjust_cfa_offset 32\n"
        "    .cfi_rel_offset x30, 8\n"
        "    mov x29, sp\n"
        "    stp x0, x1, [sp, #16]\n"
        "    mov x2, x30\n"
        "    bl dj_dlsym_find_hook\n"
        "    mov x16, x0\n"
        "    mov x17, x1\n"
        "    ldp x0, x1, [sp, #16]\n"
        "    ldp x29, x30, [sp], #32\n"
        "    .cfi_adjust_cfa_offset -32\n"
        "    .cfi_restore x30\n"
        "    cbnz x17, 1f\n"
        "    adrp x16, dj_dlsym_target\n"
        "    ldr x16, [x16, :lo12:dj_dlsym_target]\n"
        "    br x16\n"
        "1:  mov x0, x16\n"
        "    ret\n"
        ".cfi_endproc\n"
        ".size dlsym, . - dlsym\n"
        ".popsection\n");
#else
#error "dlsym's tail jump is written for x86-64 and arm64"
#endif
