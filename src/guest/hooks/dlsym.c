#include "hooks/dlsym.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#include "base/count_of.h"
#include "hooks/answers.h"
#include "hooks/link_map.h"
#include "hooks/swaps.h"

/* The C library's object that defines dlsym: glibc 2.34 moved it. */
static const char *const libc_objects[] = {"libc.so.6", "libdl.so.2"};

static dj_dlsym_function *libc_dlsym;

/* The dlsym after this one: that of another preloaded object, which handles hooks of
 * its own, or the C library's. The assembly below reads it. */
__attribute__((used, visibility("hidden"))) dj_dlsym_function *dj_dlsym_target;

dj_dlsym_function *dj_dlsym_of_libc(void)
{
    for (size_t i = 0; libc_dlsym == NULL && i < COUNT_OF(libc_objects); i++) {
        libc_dlsym = (dj_dlsym_function *)dj_link_map_find(libc_objects[i], "dlsym");
    }
    return libc_dlsym;
}

static dj_dlsym_function *next_dlsym(void)
{
    if (dj_dlsym_target == NULL) {
        dj_dlsym_target = (dj_dlsym_function *)dj_link_map_next("dlsym");
    }
    return dj_dlsym_target;
}

void dj_dlsym_load(void)
{
    dj_dlsym_of_libc();
    next_dlsym();
}

void *dj_dlsym_find_next(const char *name)
{
    /* A call from this object: RTLD_NEXT means the objects after this one, as
     * intended. */
    return dj_dlsym_of_libc()(RTLD_NEXT, name);
}

/* Two words: both ABIs below return them in registers. */
struct answer {
    void *symbol;
    uintptr_t is_final; /* 0: continue with the C library's dlsym */
};

/* The assembly calls this first: returns the hook for this look-up. RTLD_NEXT is never
 * handled: another preloaded object uses it to find the function after its own. */
__attribute__((used, visibility("hidden"))) struct answer
dj_dlsym_answer(void *handle, const char *name, const void *caller);

struct answer dj_dlsym_answer(void *handle, const char *name, const void *caller)
{
    dj_dlsym_function *next = next_dlsym();
    if (handle == RTLD_NEXT || name == NULL) {
        return (struct answer){NULL, 0};
    }
    bool is_swap = dj_swap_is_hooked(name);
    int answer = is_swap ? -1 : dj_answers_find(name);
    if (!is_swap && answer < 0) {
        return (struct answer){NULL, 0};
    }
    void *symbol = next(handle, name);
    if (symbol == NULL) {
        return (struct answer){NULL, 0};
    }
    /* NULL is also final: a program may test whether GL exists, and the hooks are not
     * GL. */
    symbol = is_swap ? dj_swap_wrapper(name, symbol, caller)
                     : dj_answer(answer, symbol, caller);
    if (symbol == NULL) {
        dj_dlsym_find_next(name); /* fails, so that dlerror() reports it */
    }
    return (struct answer){symbol, 1};
}

/* dlsym must end with a jump: the C library uses its return address to find the object
 * that RTLD_NEXT and RTLD_DEFAULT are relative to, so this must remain the caller's
 * address. No C compiler guarantees that at every optimization level, so it is
 * assembly. */
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
        "    call dj_dlsym_answer\n"
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
        "    bl dj_dlsym_answer\n"
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
