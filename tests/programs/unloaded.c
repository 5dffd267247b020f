/* Opens a library globally, closes it, and prints whether the process still finds
 * glXSwapBuffers(). If it does, presents five frames with that function.
 *
 *   unloaded open LIBRARY    looks up no function before it closes the library
 *   unloaded look LIBRARY    looks up glXSwapBuffers() before it closes the library */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { FRAMES = 5, WINDOW = 5 };

int main(int argc, char **argv)
{
    void *library = argc == 3 ? dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "usage: unloaded open|look LIBRARY\n");
        return 2;
    }
    if (strcmp(argv[1], "look") == 0 && dlsym(library, "glXSwapBuffers") == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    dlclose(library);
    void (*swap)(void *, unsigned long) =
        (void (*)(void *, unsigned long))dlsym(RTLD_DEFAULT, "glXSwapBuffers");
    puts(swap != NULL ? "found" : "not found");
    for (int i = 0; swap != NULL && i < FRAMES; i++) {
        swap(NULL, WINDOW);
    }
    return 0;
}
