/* A child that confines itself. It was forked while another thread held a lock of the
 * dynamic linker, like a thread that handles a C++ exception.
 *
 *   confined_child fork|_Fork|clone
 *
 * The parent presents 5 frames, the child 10. Prints "done". */
#include <link.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

void glXSwapBuffers(void *display, unsigned long drawable);

enum { WINDOW = 0x400001, PARENTS_FRAMES = 5, CHILDS_FRAMES = 10, SECONDS = 10 };

static sem_t is_locked, may_go;

static int hold_lock(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)info;
    (void)size;
    (void)user;
    sem_post(&is_locked);
    sem_wait(&may_go);
    return 1;
}

static void *run_other(void *user)
{
    dl_iterate_phdr(hold_lock, user);
    return NULL;
}

static void present(int frames)
{
    for (int i = 0; i < frames; i++) {
        glXSwapBuffers(NULL, WINDOW);
    }
}

static bool confine(void)
{
    struct sock_filter allow[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
    const struct sock_fprog filter = {1, allow};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static pid_t start_child(const char *way)
{
    return strcmp(way, "fork") == 0    ? fork()
           : strcmp(way, "_Fork") == 0 ? _Fork()
                                       : (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

int main(int argc, char **argv)
{
    pthread_t other;
    int status = 0;
    present(PARENTS_FRAMES);
    sem_init(&is_locked, 0, 0);
    sem_init(&may_go, 0, 0);
    pthread_create(&other, NULL, run_other, NULL);
    sem_wait(&is_locked);
    pid_t child = start_child(argc > 1 ? argv[1] : "fork");
    if (child == 0) {
        alarm(SECONDS); /* The alarm kills the child if it hangs. */
        bool is_confined = confine();
        present(CHILDS_FRAMES);
        syscall(SYS_exit_group, is_confined ? 0 : 3);
    }
    waitpid(child, &status, 0);
    sem_post(&may_go);
    pthread_join(other, NULL);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        puts("done");
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
