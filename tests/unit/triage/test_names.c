/* Tests of variants of names, and of waits that names state. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "triage/names.h"

TestSuite(triage_names);

static void is_plain(const char *name, const char *expected)
{
    struct dj_text text = {0};
    dj_triage_append_plain_name(&text, name);
    cr_expect_str_eq(dj_text_get(&text), expected);
    dj_text_finish(&text);
}

Test(triage_names, trailing_numbers_are_removed)
{
    is_plain("frame 19", "frame");
    is_plain("Choreographer#doFrame 417", "Choreographer#doFrame");
    is_plain("DrawFrames 7 0x1f", "DrawFrames");
    is_plain("item #4", "item");
    is_plain("layout", "layout");
    is_plain("", "");
}

Test(triage_names, numbers_inside_a_name_stay)
{
    is_plain("pass-2", "pass-2");
    is_plain("stage2", "stage2");
    is_plain("ka/lo.cc", "ka/lo.cc");
    is_plain("42", "42");
    is_plain("x 12ab", "x 12ab");
}

Test(triage_names, contentions_of_one_kind_have_one_name)
{
    is_plain("monitor contention with owner Thread-2 (123) at void a.b()",
             "monitor contention");
    is_plain("Lock contention on thread list lock (owner tid: 55)",
             "Lock contention on thread list lock");
}

Test(triage_names, owner_ids_are_read_from_contentions)
{
    cr_expect_eq(dj_triage_parse_owner("monitor contention with owner T (123) at x()"),
                 123);
    cr_expect_eq(dj_triage_parse_owner("Lock contention on x (owner tid: 55)"), 55);
    cr_expect_eq(dj_triage_parse_owner("Lock contention on x (owner tid: 5x)"), 0);
    cr_expect_eq(dj_triage_parse_owner("lock"), 0);
}

static void is_family(const char *thread, const char *expected)
{
    cr_expect(dj_str_is(dj_triage_get_family(thread), expected), "%s", thread);
}

Test(triage_names, thread_families_have_one_name)
{
    is_family("llvmpipe-1", "llvmpipe");
    is_family("pool 12", "pool");
    is_family("main", "main");
    is_family("123", "123");
    is_family("", "");
    is_family("a-very-long-name-of-a-thread-1", "a-very-long-name-of-a-thread");
    is_family("a-very-long-name-of-a-thread-of-it-1", "a-very-long-name-of-a-thread-of");
}

Test(triage_names, names_state_kinds_of_waits)
{
    cr_expect_eq(dj_triage_get_wait_kind("GC: Wait For Completion Alloc"), DJ_CAUSE_GC);
    cr_expect_eq(dj_triage_get_wait_kind("waiting for GPU completion"), DJ_CAUSE_GPU);
    cr_expect_eq(dj_triage_get_wait_kind("dequeueBuffer"), DJ_CAUSE_GPU);
    cr_expect_eq(dj_triage_get_wait_kind("layout"), DJ_CAUSE_UNEXPLAINED);
    cr_expect_eq(dj_triage_get_weak_wait_kind("lock db"), DJ_CAUSE_LOCK);
    cr_expect_eq(dj_triage_get_weak_wait_kind("block of text"), DJ_CAUSE_UNEXPLAINED);
    cr_expect_eq(dj_triage_get_weak_wait_kind("clock"), DJ_CAUSE_UNEXPLAINED);
    cr_expect_eq(dj_triage_get_weak_wait_kind("layout"), DJ_CAUSE_UNEXPLAINED);
}

static void is_pool(const char *thread, const char *expected)
{
    cr_expect(dj_str_is(dj_triage_get_pool(thread), expected), "%s", thread);
}

Test(triage_names, binder_pools_are_recognized)
{
    is_pool("Binder:612_A", "Binder:612");
    is_pool("HwBinder:612_1", "HwBinder:612");
    is_pool("Binder_3", "Binder");
    is_pool("Binder", "");
    is_pool("pool_1", "");
}

Test(triage_names, owner_ids_must_be_complete_numbers)
{
    cr_expect_eq(
        dj_triage_parse_owner("monitor contention with owner main (12) at a.b()"), 12);
    cr_expect_eq(dj_triage_parse_owner("Lock contention on x (owner tid: 13)"), 13);
    cr_expect_eq(dj_triage_parse_owner("Contending for pthread mutex owned by tid: 14"),
                 14);
    cr_expect_eq(dj_triage_parse_owner("Contending for pthread mutex"), 0);
    cr_expect_eq(dj_triage_parse_owner("Lock contention on x (owner tid: 99999999999)"),
                 0);
}
