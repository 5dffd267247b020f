#include "writing.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct shared *make_shared(void)
{
    void *memory = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert_neq(memory, MAP_FAILED);
    return memory;
}

void must(bool holds)
{
    if (!holds) {
        _exit(3); /* The test detects that the writer has ended. */
    }
}

pid_t start(void (*work)(struct shared *), struct shared *shared)
{
    atomic_store(&shared->ready, false);
    atomic_store(&shared->stop, false);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* Ends the child if the test fails. */
        work(shared);
    }
    while (!atomic_load(&shared->ready)) {
        cr_assert_eq(waitpid(child, NULL, WNOHANG), 0, "the writer ended");
    }
    return child;
}

void finish(pid_t child, struct shared *shared)
{
    int status;
    atomic_store(&shared->stop, true);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

uint64_t test_times(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}
