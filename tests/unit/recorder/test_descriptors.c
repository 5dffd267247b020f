#include <criterion/criterion.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "recorder/descriptors.h"

Test(descriptors, both_ends_of_a_pipe_have_the_same_pointer)
{
    dj_recorder_descriptor_add_pipe(100, 101);
    dj_recorder_descriptor_add_pipe(102, 103);
    cr_assert_eq(dj_descriptor_kind(100), DJ_DESCRIPTOR_PIPE);
    cr_assert_not_null(dj_descriptor_pipe(100));
    cr_assert_eq(dj_descriptor_pipe(100), dj_descriptor_pipe(101));
    cr_assert_neq(dj_descriptor_pipe(100), dj_descriptor_pipe(102));
    cr_assert_eq((uintptr_t)dj_descriptor_pipe(103) & 1, 1, "no object's address");
}

Test(descriptors, a_new_kind_replaces_the_old_one)
{
    dj_recorder_descriptor_add_pipe(100, 101);
    dj_recorder_descriptor_set_kind(100, DJ_DESCRIPTOR_OTHER);
    dj_recorder_descriptor_set_kind(101, DJ_DESCRIPTOR_WAIT);
    cr_assert_eq(dj_descriptor_kind(100), DJ_DESCRIPTOR_OTHER);
    cr_assert_null(dj_descriptor_pipe(100));
    cr_assert_eq(dj_descriptor_kind(101), DJ_DESCRIPTOR_WAIT);
    cr_assert_null(dj_descriptor_pipe(101));
}

Test(descriptors, unknown_numbers_have_the_kind_other)
{
    dj_recorder_descriptor_set_kind(-1, DJ_DESCRIPTOR_WAIT);
    dj_recorder_descriptor_set_kind(1024, DJ_DESCRIPTOR_WAIT);
    dj_recorder_descriptor_add_pipe(1024, 100000);
    cr_assert_eq(dj_descriptor_kind(-1), DJ_DESCRIPTOR_OTHER);
    cr_assert_eq(dj_descriptor_kind(1024), DJ_DESCRIPTOR_OTHER);
    cr_assert_null(dj_descriptor_pipe(100000));
    cr_assert_eq(dj_descriptor_kind(200), DJ_DESCRIPTOR_OTHER);
}

/* Moves the descriptor to a number that dj_descriptors_load() examines and that is
 * free in this process. */
static void move_descriptor(int fd, int number)
{
    cr_assert_eq(dup2(fd, number), number);
    close(fd);
}

Test(descriptors, inherited_descriptors_have_their_kinds)
{
    int ends[2];
    cr_assert_eq(pipe(ends), 0);
    move_descriptor(ends[0], 28);
    move_descriptor(ends[1], 29);
    move_descriptor(eventfd(0, 0), 30);
    move_descriptor(open("/proc/self/exe", O_RDONLY), 31);
    dj_descriptors_load();
    cr_assert_eq(dj_descriptor_kind(28), DJ_DESCRIPTOR_PIPE);
    cr_assert_eq(dj_descriptor_pipe(28), dj_descriptor_pipe(29));
    cr_assert_eq(dj_descriptor_kind(30), DJ_DESCRIPTOR_WAIT);
    cr_assert_eq(dj_descriptor_kind(31), DJ_DESCRIPTOR_OTHER);
}
