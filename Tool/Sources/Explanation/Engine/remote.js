// SPDX-License-Identifier: Apache-2.0
"use strict";

// The engine in a thread of its own, so that the page never waits for the network. It is asked for the methods of
// Engine by name and answers in the order of the questions.

class RemoteEngine {
  /// Starts the thread with the compiled engine and a model.
  static async start(code, model) {
    const remote = new RemoteEngine();
    await remote.ask("start", code, model);
    return remote;
  }

  constructor() {
    const source = [`${ENGINE_SOURCE}\n(${answerQuestions})();`];
    const address = URL.createObjectURL(new Blob(source, { type: "text/javascript" }));
    this.thread = new Worker(address);
    URL.revokeObjectURL(address);
    this.questions = new Map();
    this.asked = 0;
    this.thread.onmessage = ({ data: { number, answer, refusal } }) => {
      const { resolve, reject } = this.questions.get(number);
      this.questions.delete(number);
      if (refusal === undefined) resolve(answer);
      else reject(new Error(refusal));
    };
    this.thread.onerror = ({ message }) => {
      for (const { reject } of this.questions.values()) reject(new Error(message || "the thread does not start"));
      this.questions.clear();
    };
  }

  /// Promises what a method of the engine gives.
  ask(name, ...values) {
    const number = ++this.asked;
    this.thread.postMessage({ number, name, values });
    return new Promise((resolve, reject) => this.questions.set(number, { resolve, reject }));
  }
}

/// What the thread does.
function answerQuestions() {
  let engine = null;
  const start = async (code, model) => {
    engine = await Engine.start(code);
    engine.open(model);
  };
  self.onmessage = async ({ data: { number, name, values } }) => {
    try {
      const answer = name === "start" ? await start(...values) : engine[name](...values);
      self.postMessage({ number, answer });
    } catch (error) {
      self.postMessage({ number, refusal: error.message });
    }
  };
}
