/* Calls select() with a count above all descriptors and with a set at the end of
 * mapped memory. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <unistd.h>

int main(void)
{
    const size_t page = 4096;
    int ends[2];
    char *memory =
        mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory + page, page, PROT_NONE) != 0 ||
        pipe(ends) != 0) {
        return 1;
    }
    fd_set *readable = (fd_set *)(memory + page - sizeof(fd_set));
    fd_set writable;
    FD_ZERO(readable);
    FD_ZERO(&writable);
    FD_SET(ends[0], readable);
    FD_SET(ends[1], &writable);
    printf("%d\n", select(1 << 20, readable, &writable, NULL, NULL));
    return 0;
}
