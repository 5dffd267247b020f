#include <criterion/criterion.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "memory/memory.h"

enum { ENDED = 7 };

static void end(void)
{
    _exit(ENDED);
}

static void set_handler(void)
{
    dj_memory_on_failure(end);
}

Test(memory, allocates_zeroed_memory_even_for_zero_elements)
{
    int *numbers = dj_xcalloc(3, sizeof(*numbers));
    cr_expect(numbers[0] == 0 && numbers[2] == 0);
    numbers = dj_xresize(numbers, 0, sizeof(*numbers));
    cr_expect_not_null(numbers);
    free(numbers);
}

Test(memory, copies_strings)
{
    char *copy = dj_xstrdup("abc"), *part = dj_xcopy("abc", 2),
         *made = dj_xformat("%d%s", 4, "x");
    cr_expect_str_eq(copy, "abc");
    cr_expect_str_eq(part, "ab");
    cr_expect_str_eq(made, "4x");
    cr_expect_null(dj_xstrdup(NULL));
    free(copy);
    free(part);
    free(made);
}

Test(memory, grows_arrays)
{
    int *numbers = NULL;
    size_t count = 0;
    for (int i = 0; i < 5; i++) {
        DJ_XPUSH(numbers, count, i);
    }
    cr_expect(count == 5 && numbers[4] == 4);
    DJ_XEXTEND(numbers, count, 1000);
    cr_expect(count == 1000 && numbers[4] == 4 && numbers[5] == 0 && numbers[999] == 0);
    DJ_XEXTEND(numbers, count, 7);
    cr_expect_eq(count, 1000);
    free(numbers);
}

Test(memory, returns_the_bytes_of_a_text)
{
    struct dj_text text = {0};
    dj_text_add(&text, "abc");
    cr_expect_str_eq(dj_xtext(&text), "abc");
    char *bytes = dj_xtext_detach(&text), *nothing = dj_xtext_detach(&text);
    cr_expect_str_eq(bytes, "abc");
    cr_expect_str_eq(nothing, "");
    cr_expect_eq(text.length, 0);
    free(bytes);
    free(nothing);
}

Test(memory, a_full_text_is_not_a_failure)
{
    struct dj_text text = {.maximum = 2};
    dj_text_add(&text, "ab");
    dj_text_add(&text, "c");
    cr_assert(text.failed && text.full);
    cr_expect_str_eq(dj_xtext(&text), "ab");
    dj_text_finish(&text);
}

Test(memory, returns_other_codes)
{
    cr_expect_eq(dj_xcode(DJ_E_IO), DJ_E_IO);
    cr_expect_eq(dj_xcode(0), 0);
}

Test(memory, a_failure_calls_the_handler, .init = set_handler, .exit_code = ENDED)
{
    dj_xcalloc(SIZE_MAX / 2, 1);
}

Test(memory, a_code_calls_the_handler, .init = set_handler, .exit_code = ENDED)
{
    dj_xcode(DJ_E_NO_MEMORY);
}

Test(memory, a_failed_text_calls_the_handler, .init = set_handler, .exit_code = ENDED)
{
    struct dj_text text = {.failed = true};
    dj_xtext(&text);
}

Test(memory, failures_are_returned_until_the_last_caller_ends_it)
{
    cr_expect_not(dj_memory_failure_ends());
    set_handler();
    cr_expect(dj_memory_failure_ends());
    dj_memory_return_failures(true);
    dj_memory_return_failures(true);
    dj_memory_return_failures(false);
    cr_expect_not(dj_memory_failure_ends());
    dj_memory_return_failures(false);
    cr_expect(dj_memory_failure_ends());
}

Test(memory, without_a_handler_the_program_aborts, .signal = SIGABRT)
{
    dj_memory_failed();
}

static int steps;

static void allocate_too_much(void *user)
{
    steps++;
    dj_xcalloc(SIZE_MAX / 2, 1);
    *(bool *)user = true;
}

static void try_inside(void *user)
{
    cr_expect_not(dj_memory_failure_ends(), "the C library gets NULL");
    cr_expect_not(dj_memory_try(allocate_too_much, user));
    steps += 10;
    free(dj_xcalloc(1, 1));
}

Test(memory, an_attempt_ends_at_a_failure_and_the_program_goes_on, .init = set_handler)
{
    bool went_on = false;
    cr_expect_not(dj_memory_try(allocate_too_much, &went_on));
    cr_expect_not(went_on);
    cr_expect(dj_memory_try(try_inside, &went_on), "attempts are nested");
    cr_expect_eq(steps, 12);
    cr_expect_not(went_on);
    cr_expect(dj_memory_failure_ends());
}

Test(memory, a_failure_after_an_attempt_calls_the_handler, .init = set_handler,
     .exit_code = ENDED)
{
    bool went_on = false;
    dj_memory_try(allocate_too_much, &went_on);
    dj_xcalloc(SIZE_MAX / 2, 1);
}
