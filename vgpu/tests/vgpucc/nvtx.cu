// Marks for a profiler: taken, and nothing happens.
#include <cstdio>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#ifdef __clang__ // of the toolkit, CUDA 13 has no such names any more
#include <nvToolsExtCuda.h>
#include <nvToolsExtCudaRt.h>
#endif

int main() {
    nvtxEventAttributes_t event = {};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.colorType = NVTX_COLOR_ARGB;
    event.color = 0xff00ff00;
    event.messageType = NVTX_MESSAGE_TYPE_ASCII;
    event.message.ascii = "a range";
    nvtxNameCudaDeviceA(0, "the first");
    nvtxRangePushA("outer");
    nvtxRangePushEx(&event);
    nvtxMarkA("here");
    nvtxRangePop();
    nvtxRangePop();
    const nvtxRangeId_t id = nvtxRangeStartA("across");
    nvtxRangeEnd(id);
    puts("done");
    return 0;
}
